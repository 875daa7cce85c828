import { readAnswer, type PaymentAnswer } from "./payment-answer";
import type { Payment } from "../subscriptions/payments";
import { refreshPayment } from "../subscriptions/reconciliation";
import type { PaymentContext } from "../subscriptions/context";

/**
 * Answers a repeated idempotency key with the first answer or, when that was Pending, with the
 * current state.
 * @throws PaymentRefusal when it failed
 */
export async function answerRepeated(
  context: PaymentContext,
  payment: Payment,
): Promise<PaymentAnswer> {
  const state = await refreshPayment(context, payment);
  if (state?.status === "open") return { status: "Pending", redirect: state.url };
  return readAnswer(context.db, payment.uid);
}
