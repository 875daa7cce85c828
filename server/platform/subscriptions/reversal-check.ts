import { DAY_MS } from "../ports/durations";
import type { PaymentContext } from "./context";
import { isStoppable } from "./lookup";
import { findSubscription, type SubscriptionRow } from "../database/subscription-row";
import { findRefund, refundCheckWork } from "../money/refunds";
import { applyReversal } from "./reversals";
import { periodWork, scheduleReversalCheck } from "./schedule";

/** Banks take disputes about a payment for four months. */
const DISPUTABLE_DAYS = 120;

/**
 * Job that reads what went back of a contract's payments, because the notification may be lost. A contract on
 * hold is checked as well: its money may have come back.
 */
export async function checkReversals(context: PaymentContext, payload: unknown) {
  const { subscriptionUid, due } = periodWork.parse(payload);
  const subscription = await findSubscription(context.db, subscriptionUid);
  if (!subscription || subscription.expires_at !== due) return;
  if (!isStoppable(subscription, context.clock.now())) return;
  await readReversals(context, subscription);
  await scheduleReversalCheck(context, subscription);
}

/**
 * Job that reads whether a refund that was made has come back: the contract of a withdrawal is over, so that
 * nothing else asks. One that was retried has checks of its own, and one repaid by another way stays so.
 */
export async function checkRefund(context: PaymentContext, payload: unknown) {
  const { refundUid, attempt } = refundCheckWork.parse(payload);
  const refund = await findRefund(context, refundUid);
  if (refund?.status !== "success" || refund.attempt !== attempt) return;
  if (refund.repaid_by === null) await applyReversal(context, refund.payment_uid);
}

/**
 * Applies what went back of the payments of a contract.
 * @throws ProviderFailure when the provider does not answer
 */
export async function readReversals(context: PaymentContext, subscription: SubscriptionRow) {
  for (const { uid } of await findReversible(context, subscription)) {
    await applyReversal(context, uid);
  }
}

/** Finds the payments of the running and coming periods, and those that a bank may still take back. */
async function findReversible(
  { db, clock }: Pick<PaymentContext, "db" | "clock">,
  { uid, payment_uid, expires_at }: SubscriptionRow,
) {
  const now = clock.now();
  const since = new Date(now.getTime() - DISPUTABLE_DAYS * DAY_MS).toISOString();
  return (
    db
      .selectFrom("payment")
      .select("uid")
      .where((e) => e.or([e("uid", "=", payment_uid), e("subscription_uid", "=", uid)]))
      .where("status", "=", "success")
      // A free trial has no money to go back.
      .where("amount", ">", 0)
      .where((e) =>
        e.or([
          e("settled_at", ">", since),
          e("covers_until", ">", now.toISOString()),
          e("covers_until", "=", expires_at),
        ]),
      )
      .orderBy("created_at")
      .execute()
  );
}
