import type { Payment } from "../payments";
import { endSubscription } from "./end";
import { refundPayment } from "./refunds";
import { scheduleDeletion } from "./schedule";
import { updateSubscription, type Subscription } from "./store";
import type { Life } from "./world";

/**
 * Undoes a contract: all it was paid goes back, access ends at once (L221-24). However often it is
 * asked, once; gives the amount that goes back. A charge still being decided follows by itself.
 */
export async function withdraw(life: Life, subscription: Subscription): Promise<number> {
  const payments = await paymentsOf(life, subscription);
  for (const payment of payments) await refundPayment(life, payment);
  if (!subscription.withdrawn_at) await end(life, subscription);
  return payments.reduce((sum, { amount }) => sum + amount, 0);
}

async function end(life: Life, subscription: Subscription) {
  const now = life.clock.now();
  const withdrawn = await updateSubscription(life.db, subscription.uid, {
    withdrawn_at: now.toISOString(),
    cancelled_at: subscription.cancelled_at ?? now.toISOString(),
  });
  if (withdrawn.ended_at) await scheduleDeletion(life, withdrawn);
  else await endSubscription(life, withdrawn, { at: now });
}

async function paymentsOf({ db }: Life, { uid, payment_uid }: Subscription): Promise<Payment[]> {
  return db
    .selectFrom("payment")
    .selectAll()
    .where((e) => e.or([e("uid", "=", payment_uid), e("subscription_uid", "=", uid)]))
    .where("status", "=", "success")
    .execute();
}
