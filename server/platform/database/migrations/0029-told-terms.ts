import { sql, type Kysely } from "kysely";

/**
 * Each contract keeps the version of the terms that its person accepted or was told of last, and a
 * version whether it was announced, and for which day its file asked.
 */
export async function up(db: Kysely<unknown>) {
  await db.schema.alterTable("terms_version").addColumn("applies", "text").execute();
  await db.schema.alterTable("terms_version").addColumn("announced_at", "text").execute();
  await db.schema.alterTable("subscription").addColumn("terms_digest", "text").execute();
  await db.schema.alterTable("subscription").addColumn("terms_before", "text").execute();
  await db.schema.alterTable("subscription").addColumn("terms_apply_at", "text").execute();
  await sql`update terms_version set applies = (
      select page.applies from page where page.uid = 'terms-of-service')
    where number = (select max(number) from terms_version)`.execute(db);
  // A job that is not done yet announces the newest version.
  await sql`update terms_version set announced_at = recorded_at
    where not exists (select 1 from job
      where job.kind = 'terms.announce' and job.done_at is null
      and job.key = 'terms.announce:' || terms_version.number)`.execute(db);
  await sql`update subscription set terms_digest = (
      select payment.terms_digest from payment where payment.uid = subscription.payment_uid)`.execute(
    db,
  );
  await markTold(db);
}

/** The mails of earlier releases tell who was told of which version. */
async function markTold(db: Kysely<unknown>) {
  const told = sql`select max(number) from terms_version
    join mail on mail.key = 'terms:' || terms_version.number || ':' || subscription.uid`;
  const toldOf = (column: "digest" | "applies_at") =>
    sql`(select ${sql.ref(column)} from terms_version where number = (${told}))`;
  await sql`update subscription set
      terms_before = terms_digest,
      terms_apply_at = ${toldOf("applies_at")},
      terms_digest = ${toldOf("digest")}
    where (${told}) is not null`.execute(db);
}
