import { type Kysely, sql } from "kysely";

/**
 * When the mail of a notice went out, and the slot that it takes in its mailbox: what follows from a
 * notice counts from its mail. Earlier mails count as sent when their notice came.
 */
export async function up(db: Kysely<unknown>) {
  const table = () => db.schema.alterTable("contract_notice");
  await table().addColumn("mailed_at", "text").execute();
  await table().addColumn("mail_slot", "text").execute();
  await table()
    .addColumn("signed_in", "integer", (column) => column.notNull().defaultTo(0))
    .execute();
  await sql`update contract_notice set mailed_at = received_at
    where undo_until is not null`.execute(db);
}
