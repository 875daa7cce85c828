import type {
  PaymentDecision,
  PaymentGateway,
  PaymentName,
  PaymentPage,
  PaymentPageRequest,
  GatewayState,
} from "../../ports/payment-gateway";
import { findAddress } from "./address";
import { authorize } from "./authorization";
import { closePage, expireIfDue } from "./bank";
import { charge } from "./charges";
import { decisionOf } from "./decision";
import type { createConnection } from "./notifier";
import { openPage } from "./open-page";
import { refund, reversalsOf } from "./refunds";
import texts from "./texts.fr.json";
import { findPayment, type Page } from "./store";
import type { BankContext } from "./context";

/** Implements the payment gateway with the sandbox bank; `sandbox/index.ts` adds the listeners. */
export function createSandboxGateway(
  context: BankContext,
  { carry, reach }: Pick<ReturnType<typeof createConnection>, "carry" | "reach">,
): Omit<PaymentGateway, "onNotification" | "onReversal" | "onCardRemoved"> {
  return {
    orderButton: texts.form.pay,
    createPaymentPage: (request) => carry(() => createPage(context, request)),
    closePaymentPage: (reference) => carry(() => close(context, reference)),
    authorize: (request) => carry(() => authorize(context, request)),
    charge: (request) => carry(async () => requireDecision(await charge(context, request))),
    refund: (request) => carry(() => refund(context, request)),
    status: (payment) => carry(() => statusOf(context, payment)),
    reversals: (payment) => reach(() => reversalsOf(context, payment)),
  };
}

async function createPage(context: BankContext, request: PaymentPageRequest): Promise<PaymentPage> {
  const { page } = await openPage(context, request);
  const url = findAddress(context.keys, page);
  if (!url) throw new Error("The key of this payment page is no longer in use");
  return { reference: page.uid, url };
}

async function statusOf(context: BankContext, payment: PaymentName): Promise<GatewayState> {
  const found = await findPayment(context.db, payment);
  if (!found) return { status: "unknown" };
  const page = await expireIfDue(context, found);
  const decision = decisionOf(page);
  if (decision) return decision;
  const url = findAddress(context.keys, page);
  return url ? { status: "open", url, reference: page.uid } : close(context, page.uid);
}

async function close(context: BankContext, reference: string): Promise<PaymentDecision> {
  return requireDecision(await closePage(context, reference));
}

function requireDecision(page: Page): PaymentDecision {
  const decision = decisionOf(page);
  if (!decision) throw new Error("A closed or charged page is decided");
  return decision;
}
