import type { Kysely } from "kysely";

/** What proves a contract, apart from the profile, so that it outlives it. */
export async function up(db: Kysely<unknown>) {
  await db.schema
    .createTable("contract_proof")
    .addColumn("subscription_uid", "text", (column) => column.primaryKey())
    .addColumn("email", "text", (column) => column.notNull())
    .addColumn("name", "text")
    .addColumn("ordered_at", "text", (column) => column.notNull())
    .addColumn("terms_digest", "text")
    .addColumn("registered_at", "text")
    .addColumn("registered_terms", "text")
    .addColumn("offer", "text", (column) => column.notNull())
    .addColumn("conditions", "text", (column) => column.notNull())
    .addColumn("button", "text")
    .execute();
  await db.schema
    .createTable("contract_mail")
    .addColumn("uid", "text", (column) => column.primaryKey())
    .addColumn("subscription_uid", "text", (column) => column.notNull())
    .addColumn("kind", "text", (column) => column.notNull())
    .addColumn("created_at", "text", (column) => column.notNull())
    .addColumn("subject", "text", (column) => column.notNull())
    .addColumn("text", "text", (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex("contract_mail_subscription")
    .on("contract_mail")
    .column("subscription_uid")
    .execute();
}
