import { sql, type Kysely } from "kysely";

/**
 * What became of an archived mail. The outbox forgets its mails before the archive does, so that one that
 * is no longer there was sent.
 */
export async function up(db: Kysely<unknown>) {
  const archive = db.schema.alterTable("contract_mail");
  await archive.addColumn("sent_at", "text").execute();
  await db.schema.alterTable("contract_mail").addColumn("given_up_at", "text").execute();
  await sql`update contract_mail set
    sent_at = (select sent_at from mail where mail.uid = contract_mail.uid),
    given_up_at = (select given_up_at from mail where mail.uid = contract_mail.uid)`.execute(db);
  await sql`update contract_mail set sent_at = created_at
    where uid not in (select uid from mail)`.execute(db);
}
