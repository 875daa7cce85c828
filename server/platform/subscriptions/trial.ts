import type { Database } from "../database/tables";

/**
 * Whether an account has had a trial that was not refunded: each account has one. A trial whose payment
 * was lost in a dispute counts as used, because the seller did not refund it.
 */
export async function hasUsedTrial(db: Database, accountUid: string): Promise<boolean> {
  const used = await db
    .selectFrom("subscription")
    .innerJoin("payment", "payment.uid", "subscription.payment_uid")
    .select("subscription.uid")
    .where("subscription.account_uid", "=", accountUid)
    .where("subscription.trial_amount", "is not", null)
    .where("subscription.withdrawn_at", "is", null)
    .where((e) => {
      const refunded = e
        .selectFrom("refund")
        .select((e) => e.fn.coalesce(e.fn.sum<number>("refund.amount"), e.lit(0)).as("amount"))
        .whereRef("refund.payment_uid", "=", "payment.uid")
        .where("refund.status", "in", ["pending", "success"]);
      // A free trial has nothing to refund.
      return e.or([e("payment.amount", "=", 0), e("payment.amount", ">", refunded)]);
    })
    .executeTakeFirst();
  return used !== undefined;
}
