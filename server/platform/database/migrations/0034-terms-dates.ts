import { sql, type Kysely } from "kysely";

/**
 * When a person was told of the version that their contract names, and from when the one before it
 * counts: a mail names the announcement that it replaces, and the contract shows both versions.
 */
export async function up(db: Kysely<unknown>) {
  await db.schema.alterTable("subscription").addColumn("terms_told_at", "text").execute();
  await db.schema.alterTable("subscription").addColumn("terms_before_from", "text").execute();
  await sql`update subscription set terms_told_at = (
      select max(contract_mail.created_at) from contract_mail
      where contract_mail.subscription_uid = subscription.uid
      and contract_mail.kind = 'terms-changed')
    where terms_apply_at is not null`.execute(db);
  // Its own date is not known any more; most contracts were told the date of the version.
  await sql`update subscription set terms_before_from = (
      select applies_at from terms_version where number = (
        select max(number) from terms_version where digest = subscription.terms_before))
    where terms_before is not null and terms_before <> (
      select payment.terms_digest from payment
      where payment.uid = subscription.payment_uid)`.execute(db);
}
