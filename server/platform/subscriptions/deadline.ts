import { ProviderFailure, type PaymentGateway } from "../ports/payment-gateway";
import type { PaymentContext } from "./context";

/** The site gives a call up after 20 s, and tells nothing of what became of it. */
export const ASKED_FOR_MS = 10_000;

/** After which a provider that does not answer may be asked again. */
const RETRY_AFTER_SECONDS = 30;

/**
 * Does work that somebody waits for: all its calls to the provider together take no longer than that,
 * then they fail. What the provider was asked may still be done: as after a lost answer, it is found
 * under the name of its payment.
 */
export async function withinDeadline<T>(
  context: PaymentContext,
  milliseconds: number,
  work: (context: PaymentContext) => Promise<T>,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(unanswered()), milliseconds);
  });
  // Who races against it is told; work that ended before must not end the process when time is up.
  passed.catch(() => {});
  try {
    return await work({ ...context, gateway: gatewayUntil(context.gateway, passed) });
  } finally {
    clearTimeout(timer);
  }
}

const unanswered = () =>
  new ProviderFailure("The provider did not answer in time", "late", RETRY_AFTER_SECONDS);

function gatewayUntil(gateway: PaymentGateway, passed: Promise<never>): PaymentGateway {
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
