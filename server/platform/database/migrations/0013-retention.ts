import { sql, type Kysely } from "kysely";

/** What the purge of old rows asks for, in place of the jobs that each part had of its own. */
export async function up(db: Kysely<unknown>) {
  await db.schema.alterTable("account").addColumn("last_sign_in_at", "text").execute();
  await db.schema
    .alterTable("support_link_request")
    .addColumn("requested_at", "text", (c) => c.notNull().defaultTo(""))
    .execute();
  await db.schema.createIndex("mail_by_date").on("mail").column("created_at").execute();
  await db.schema
    .createIndex("ticket_by_last_message")
    .on("ticket")
    .columns(["type", "last_at"])
    .execute();
  await sql`delete from job where kind in
    ('limits.purge', 'account.tidy', 'support.purge-links', 'support.purge-tickets')`.execute(db);
}
