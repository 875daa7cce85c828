import type { Kysely } from "kysely";

export async function up(db: Kysely<unknown>) {
  await db.schema
    .createTable("account")
    .addColumn("uid", "text", (c) => c.primaryKey())
    .addColumn("identifier", "text", (c) => c.notNull())
    .addColumn("identifier_key", "text", (c) => c.notNull().unique())
    .addColumn("password_hash", "text")
    .addColumn("formula_uid", "text", (c) => c.notNull())
    .addColumn("affiliation_token", "text")
    .addColumn("affiliation_platform", "text")
    .addColumn("status", "text", (c) => c.notNull())
    .addColumn("metadata", "text", (c) => c.notNull())
    .addColumn("metadata_modified_at", "text", (c) => c.notNull())
    .addColumn("created_at", "text", (c) => c.notNull())
    .execute();
  await db.schema
    .createTable("account_session")
    .addColumn("uid", "text", (c) => c.primaryKey())
    .addColumn("account_uid", "text", (c) => c.notNull().references("account.uid"))
    .addColumn("created_at", "text", (c) => c.notNull())
    .addColumn("ended_at", "text")
    .execute();
  await db.schema
    .createIndex("account_session_by_account")
    .on("account_session")
    .column("account_uid")
    .execute();
}
