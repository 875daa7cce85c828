import { sql, type Kysely } from "kysely";

/** Which period each payment paid, so that what goes back ends that one and no other. */
export async function up(db: Kysely<unknown>) {
  await db.schema.alterTable("payment").addColumn("covers_from", "text").execute();
  await db.schema.alterTable("payment").addColumn("covers_until", "text").execute();
  await coverFirst(db);
  await coverLater(db);
}

/** From the start of the contract until the first period that was paid later. */
async function coverFirst(db: Kysely<unknown>) {
  await sql`update payment set
      covers_from = (select started_at from subscription where payment_uid = payment.uid),
      covers_until = (
        select coalesce(
          (select min(later.period_start) from payment as later
            where later.subscription_uid = subscription.uid and later.status = 'success'),
          expires_at)
        from subscription where payment_uid = payment.uid)
    where status = 'success'
      and exists (select 1 from subscription where payment_uid = payment.uid)`.execute(db);
}

/** What came too late, or was undone, was given back by the platform and paid for nothing. */
async function coverLater(db: Kysely<unknown>) {
  await sql`update payment set
      covers_from = period_start,
      covers_until = coalesce(
        (select min(later.period_start) from payment as later
          where later.subscription_uid = payment.subscription_uid and later.status = 'success'
            and later.period_start > payment.period_start),
        (select expires_at from subscription where uid = payment.subscription_uid))
    where status = 'success' and subscription_uid is not null and period_start is not null
      and not exists (
        select 1 from refund where payment_uid = payment.uid and made_by = 'platform')`.execute(db);
}
