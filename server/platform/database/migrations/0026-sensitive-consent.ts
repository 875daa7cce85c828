import type { Kysely } from "kysely";

/** Consents to the handling of sensitive information in discussions (RGPD, article 9-2-a). */
export async function up(db: Kysely<unknown>) {
  await db.schema
    .createTable("sensitive_consent")
    .addColumn("uid", "text", (c) => c.primaryKey())
    .addColumn("account_uid", "text", (c) => c.notNull())
    .addColumn("version", "text", (c) => c.notNull())
    .addColumn("text", "text", (c) => c.notNull())
    .addColumn("given_at", "text", (c) => c.notNull())
    .addColumn("taken_back_at", "text")
    .execute();
  await db.schema
    .createIndex("sensitive_consent_account")
    .on("sensitive_consent")
    .column("account_uid")
    .execute();
}
