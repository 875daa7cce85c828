import { sql, type Kysely } from "kysely";

/**
 * The account that was signed in when a message to the contact service was posted, for its export; and the
 * few consents that were taken back, for the counts of the desk.
 */
export async function up(db: Kysely<unknown>) {
  await db.schema.alterTable("ticket_message").addColumn("posted_by", "text").execute();
  await db.schema
    .createIndex("ticket_message_by_sender")
    .on("ticket_message")
    .column("posted_by")
    .where(sql.ref("posted_by"), "is not", null)
    .execute();
  await db.schema
    .createIndex("sensitive_consent_taken_back")
    .on("sensitive_consent")
    .column("account_uid")
    .where(sql.ref("taken_back_at"), "is not", null)
    .execute();
}
