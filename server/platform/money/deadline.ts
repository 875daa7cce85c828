import { ProviderFailure, type PaymentGateway } from "../ports/payment-gateway";
import type { ProviderContext } from "./context";

/**
 * Deadline for calls by the site, which gives up after 20 s and then cannot show the
 * outcome.
 */
export const REQUEST_DEADLINE_MS = 10_000;

/** Delay before a provider that did not answer may be asked again. */
const RETRY_AFTER_SECONDS = 30;

/**
 * Runs work for a waiting caller: all its calls to the provider together fail after the deadline. A
 * call may still take effect at the provider; as after a lost answer, it is found by the payment's
 * uid.
 */
export async function runWithDeadline<C extends ProviderContext, T>(
  context: C,
  milliseconds: number,
  work: (context: C) => Promise<T>,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(unanswered()), milliseconds);
  });
  // The race reports the rejection. When the work ended earlier, an unhandled one would end the process.
  passed.catch(() => {});
  try {
    return await work({ ...context, gateway: limitGateway(context.gateway, passed) });
  } finally {
    clearTimeout(timer);
  }
}

const unanswered = () =>
  new ProviderFailure("The provider did not answer in time", "late", RETRY_AFTER_SECONDS);

function limitGateway(gateway: PaymentGateway, passed: Promise<never>): PaymentGateway {
  const { authorize } = gateway;
  const until = <T>(answer: Promise<T>) => Promise.race([answer, passed]);
  return {
    ...gateway,
    createPaymentPage: (request) => until(gateway.createPaymentPage(request)),
    closePaymentPage: (reference) => until(gateway.closePaymentPage(reference)),
    status: (payment) => until(gateway.status(payment)),
    ...(authorize && { authorize: (request) => until(authorize(request)) }),
  };
}
