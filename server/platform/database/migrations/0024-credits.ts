import type { Kysely } from "kysely";

/** The ledger of credits. Contracts from before have none: theirs were sold without conditions. */
export async function up(db: Kysely<unknown>) {
  await db.schema
    .createTable("credit")
    .addColumn("subscription_uid", "text", (c) => c.primaryKey())
    .addColumn("amount", "integer", (c) => c.notNull())
    .addColumn("debtor", "text", (c) => c.notNull())
    .addColumn("way", "text", (c) => c.notNull())
    .addColumn("delay_days", "integer", (c) => c.notNull())
    .addColumn("delay_after", "text", (c) => c.notNull())
    .addColumn("conditions", "text", (c) => c.notNull())
    .addColumn("status", "text", (c) => c.notNull())
    .addColumn("due_at", "text")
    .addColumn("paid_on", "text")
    .addColumn("void_reason", "text")
    .addColumn("created_at", "text", (c) => c.notNull())
    .addColumn("settled_at", "text")
    .execute();
}
