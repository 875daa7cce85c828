import type { Reader } from "../http/types";
import { setCardAside } from "../limits/declines";
import type { Card, CardDecision, PaymentGateway } from "../ports/payment-gateway";
import { answerOf, type PaymentAnswer } from "./payment-answer";
import { findFormula } from "../offers/formulas";
import { orderOf } from "./order";
import { findPayment, updateUnsettledPayment, type Payment } from "../subscriptions/payments";
import { settlePayment } from "../subscriptions/settlement";
import type { World } from "../subscriptions/world";

export type Authorize = NonNullable<PaymentGateway["authorize"]>;

export type Attempt = { reader: Reader; payment: Payment; card: Card };

/**
 * Has the bank use the card for a payment that is written down; for the same payment again, the bank
 * gives the same answer. Without an answer nothing is known: the payment is pending until it is.
 * @throws PaymentRefusal when the bank refuses
 */
export async function askBank(
  world: World,
  authorize: Authorize,
  attempt: Attempt,
): Promise<PaymentAnswer> {
  const { uid } = attempt.payment;
  const decision = await heard(world, authorize, attempt);
  if (decision) await record(world, uid, decision);
  if (decision?.status === "challenge") return { status: "Pending", redirect: decision.url };
  return stored(world, uid);
}

/** Null when there is no answer; reconciliation asks later. */
async function heard(world: World, authorize: Authorize, { reader, payment, card }: Attempt) {
  const order = await orderAgain(world, reader, payment);
  try {
    return await authorize({ ...order, card });
  } catch (error) {
    world.log.warn({ err: error, payment: payment.uid }, "no answer from the bank");
    await setCardAside(world.db, payment.uid);
    return null;
  }
}

/** From the payment as it was written down, whoever asks the bank a second time. */
async function orderAgain(world: World, reader: Reader, payment: Payment) {
  const { uid, amount, cashback, origin, created_at, period_start } = payment;
  const formula = await findFormula(world.db, payment.formula_uid);
  if (!formula || origin === null) throw new Error(`Payment ${uid} cannot be ordered again`);
  const due = period_start === null ? null : { due: period_start };
  const ordered = { formula, amount, due, cashback: cashback === 1, origin };
  return orderOf(world, reader, ordered, { uid, startedAt: new Date(created_at) });
}

async function record(world: World, uid: string, decision: CardDecision) {
  if (decision.status !== "challenge" && decision.status !== "pending") {
    return settlePayment(world, uid, decision);
  }
  const status = decision.status === "challenge" ? "open" : "pending";
  const { reference: gateway_reference } = decision;
  await updateUnsettledPayment(world.db, uid, { status, gateway_reference });
  await setCardAside(world.db, uid);
}

async function stored({ db }: World, uid: string): Promise<PaymentAnswer> {
  const payment = await findPayment(db, uid);
  if (!payment) throw new Error(`Payment ${uid} is gone`);
  return answerOf(payment);
}
