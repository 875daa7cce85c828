import type { Kysely } from "kysely";

/** What was cut from a reply by mail, and 1 where only its beginning is kept. */
export async function up(db: Kysely<unknown>) {
  await db.schema.alterTable("ticket_message").addColumn("trimmed", "text").execute();
  await db.schema.alterTable("ticket_message").addColumn("trimmed_short", "integer").execute();
}
