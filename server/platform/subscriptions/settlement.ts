import { lockAccount } from "../accounts/lock";
import type { Database } from "../database/tables";
import { newUid } from "../ports/ids";
import type { PaymentDecision, PaymentOutcome } from "../ports/payment-gateway";
import { findFormula } from "./formulas";
import { findPayment, updateUnsettledPayment } from "./payments";
import { firstPeriodEnd } from "./periods";
import { endLapsed } from "./subscription";
import type { World } from "./world";

type Payment = NonNullable<Awaited<ReturnType<typeof findPayment>>>;
type Settling = Pick<World, "db" | "clock" | "activationDelaySeconds">;
type Success = Extract<PaymentOutcome, { status: "success" }>;

/** Records what the bank says of a payment: not decided yet, or settled. */
export async function decidePayment(
  world: Settling,
  paymentUid: string,
  decision: PaymentDecision,
) {
  if (decision.status === "pending") {
    await updateUnsettledPayment(world.db, paymentUid, { status: "pending" });
  } else {
    await settlePayment(world, paymentUid, decision);
  }
}

/**
 * Gives a payment its outcome and, when paid, opens the subscription: both or neither. However often
 * and late it is told, the first outcome stands and there is one subscription.
 */
export async function settlePayment(world: Settling, paymentUid: string, outcome: PaymentOutcome) {
  const { db, clock } = world;
  await db.transaction().execute(async (transaction) => {
    const payment = await findPayment(transaction, paymentUid);
    if (!payment) return;
    await lockAccount(transaction, payment.account_uid);
    const settled_at = clock.now().toISOString();
    const change = { ...columnsOf(outcome), status: outcome.status, settled_at };
    const changed = await updateUnsettledPayment(transaction, paymentUid, change);
    if (changed && outcome.status === "success") {
      await openSubscription(transaction, world, payment, outcome);
    }
  });
}

function columnsOf(outcome: PaymentOutcome) {
  return outcome.status === "success"
    ? { card_reference: outcome.cardReference, card_hint: outcome.cardHint }
    : { error_code: outcome.code, error_message: outcome.message };
}

async function openSubscription(
  transaction: Database,
  { clock, activationDelaySeconds }: Settling,
  payment: Payment,
  { cardReference }: Success,
) {
  const now = clock.now();
  const formula = await findFormula(transaction, payment.formula_uid);
  if (!formula) throw new Error(`The formula of payment ${payment.uid} is gone`);
  await endLapsed(transaction, payment.account_uid, now);
  await transaction
    .insertInto("subscription")
    .values({
      uid: newUid(),
      account_uid: payment.account_uid,
      formula_uid: formula.uid,
      payment_uid: payment.uid,
      amount: formula.amount,
      trial_amount: formula.trialAmount ?? null,
      credits: formula.creditAmount ?? null,
      card_reference: cardReference,
      started_at: now.toISOString(),
      activates_at: new Date(now.getTime() + activationDelaySeconds * 1000).toISOString(),
      expires_at: firstPeriodEnd(now, formula).toISOString(),
      cancelled_at: null,
      ended_at: null,
    })
    .execute();
}
