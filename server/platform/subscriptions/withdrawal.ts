import type { Payment } from "./payments";
import { endSubscription } from "./end";
import { ownRefundOf, refundPayment } from "./refunds";
import { scheduleDeletion } from "./schedule";
import type { Subscription } from "./lookup";
import { updateSubscription } from "./store";
import type { SubscriptionContext } from "./context";

/**
 * Undoes a contract: all it was paid goes back, access ends at once (L221-24). However often it is
 * asked, once; gives the amount that goes back by it, which is not what went back before. A charge
 * still being decided follows by itself.
 */
export async function withdraw(
  context: SubscriptionContext,
  subscription: Subscription,
): Promise<number> {
  const payments = await paymentsOf(context, subscription);
  const isRepeat = subscription.withdrawn_at !== null;
  let refunded = 0;
  for (const payment of payments) {
    await refundPayment(context, payment);
    const own = await ownRefundOf(context, payment);
    if (isRepeat || !own.isDone) refunded += own.amount;
  }
  if (!isRepeat) await end(context, subscription);
  return refunded;
}

async function end(context: SubscriptionContext, subscription: Subscription) {
  const now = context.clock.now();
  const withdrawn = await updateSubscription(context.db, subscription.uid, {
    withdrawn_at: now.toISOString(),
    cancelled_at: subscription.cancelled_at ?? now.toISOString(),
  });
  if (withdrawn.ended_at) await scheduleDeletion(context, withdrawn);
  else await endSubscription(context, withdrawn, { at: now });
}

async function paymentsOf(
  { db }: SubscriptionContext,
  { uid, payment_uid }: Subscription,
): Promise<Payment[]> {
  return db
    .selectFrom("payment")
    .selectAll()
    .where((e) => e.or([e("uid", "=", payment_uid), e("subscription_uid", "=", uid)]))
    .where("status", "=", "success")
    .execute();
}
