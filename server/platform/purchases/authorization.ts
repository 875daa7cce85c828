import type { Principal } from "../http/types";
import { suspendCardAttempt } from "../limits/declines";
import type { Card, CardDecision, PaymentGateway } from "../ports/payment-gateway";
import { readAnswer, type PaymentAnswer } from "./payment-answer";
import { orderOf } from "./order";
import { offerOfPayment, updateUnsettledPayment, type Payment } from "../money/payments";
import { settlePayment } from "../subscriptions/settlement";
import type { PaymentContext } from "../subscriptions/context";

export type Authorize = NonNullable<PaymentGateway["authorize"]>;

export type Attempt = { principal: Principal; payment: Payment; card: Card };

/**
 * Asks the bank to charge the card for a stored payment. For a repeated payment the bank gives the same
 * answer. Without an answer the payment stays pending.
 * @throws PaymentRefusal when the bank refuses
 */
export async function authorizePayment(
  context: PaymentContext,
  authorize: Authorize,
  attempt: Attempt,
): Promise<PaymentAnswer> {
  const { uid } = attempt.payment;
  const decision = await callBank(context, authorize, attempt);
  if (decision) await recordCardDecision(context, uid, decision);
  if (decision?.status === "challenge") return { status: "Pending", redirect: decision.url };
  return readAnswer(context.db, uid);
}

/** Calls the bank; null without an answer, in which case reconciliation asks later. */
async function callBank(
  context: PaymentContext,
  authorize: Authorize,
  { principal, payment, card }: Attempt,
) {
  const order = rebuildOrder(context, principal, payment);
  try {
    return await authorize({ ...order, card });
  } catch (error) {
    context.log.warn({ err: error, payment: payment.uid }, "no answer from the bank");
    await suspendCardAttempt(context.db, payment.uid);
    return null;
  }
}

/** Builds the order from the stored payment, so that a repeated call to the bank is the same. */
function rebuildOrder({ site }: PaymentContext, principal: Principal, payment: Payment) {
  const { uid, cashback, origin } = payment;
  const offer = offerOfPayment(payment);
  if (!offer || origin === null) throw new Error(`Payment ${uid} cannot be ordered again`);
  return orderOf(
    principal,
    { merchant: site.statementDescriptor, offer, cashback: cashback === 1, origin },
    uid,
  );
}

async function recordCardDecision(context: PaymentContext, uid: string, decision: CardDecision) {
  if (decision.status !== "challenge" && decision.status !== "pending") {
    return settlePayment(context, uid, decision);
  }
  const status = decision.status === "challenge" ? "open" : "pending";
  const { reference: gateway_reference } = decision;
  await updateUnsettledPayment(context.db, uid, { status, gateway_reference });
  await suspendCardAttempt(context.db, uid);
}
