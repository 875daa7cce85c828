import type { Kysely } from "kysely";

/** Addresses of the site that its owner confirmed: secrets in mails lead there. */
export async function up(db: Kysely<unknown>) {
  await db.schema
    .createTable("confirmed_origin")
    .addColumn("origin", "text", (c) => c.primaryKey())
    .addColumn("confirmed_at", "text", (c) => c.notNull())
    .execute();
}
