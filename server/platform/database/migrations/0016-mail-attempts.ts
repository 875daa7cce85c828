import type { Kysely } from "kysely";

/** Attempts at reading mails that come in. */
export async function up(db: Kysely<unknown>) {
  await db.schema
    .createTable("mail_attempt")
    .addColumn("uid", "text", (c) => c.primaryKey())
    .addColumn("digest", "text", (c) => c.notNull())
    .addColumn("process", "text", (c) => c.notNull())
    .addColumn("at", "text", (c) => c.notNull())
    .addColumn("failed", "integer", (c) => c.notNull())
    .execute();
  await db.schema.createIndex("mail_attempt_digest").on("mail_attempt").column("digest").execute();
}
