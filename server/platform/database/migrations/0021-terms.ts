import type { Kysely } from "kysely";

/** Each text of the terms stays as it was shown, and accounts and orders name the one they accepted. */
export async function up(db: Kysely<unknown>) {
  await db.schema
    .createTable("terms_version")
    .addColumn("number", "integer", (column) => column.primaryKey())
    .addColumn("digest", "text", (column) => column.notNull())
    .addColumn("title", "text", (column) => column.notNull())
    .addColumn("body", "text", (column) => column.notNull())
    .addColumn("recorded_at", "text", (column) => column.notNull())
    .addColumn("applies_at", "text", (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex("terms_version_digest")
    .on("terms_version")
    .column("digest")
    .execute();
  await db.schema.alterTable("page").addColumn("applies", "text").execute();
  await db.schema.alterTable("account").addColumn("terms_digest", "text").execute();
  await db.schema.alterTable("account").addColumn("terms_accepted_at", "text").execute();
  await db.schema.alterTable("payment").addColumn("terms_digest", "text").execute();
  await db.schema.alterTable("payment").addColumn("payer_name", "text").execute();
  await db.schema.alterTable("payment").addColumn("order_button", "text").execute();
}
