import type { Kysely } from "kysely";

/** Tables of the sandbox bank: it stands for a provider, so nothing refers to them by key. */
export async function up(db: Kysely<unknown>) {
  await db.schema
    .createTable("bank_page")
    .addColumn("uid", "text", (c) => c.primaryKey())
    .addColumn("secret_hash", "text", (c) => c.notNull().unique())
    .addColumn("payment_uid", "text", (c) => c.notNull().unique())
    .addColumn("merchant", "text", (c) => c.notNull())
    .addColumn("email", "text", (c) => c.notNull())
    .addColumn("amount", "integer", (c) => c.notNull())
    .addColumn("description", "text", (c) => c.notNull())
    .addColumn("return_url", "text", (c) => c.notNull())
    .addColumn("status", "text", (c) => c.notNull())
    .addColumn("outcome", "text")
    .addColumn("error_code", "text")
    .addColumn("card_reference", "text")
    .addColumn("card_hint", "text")
    .addColumn("created_at", "text", (c) => c.notNull())
    .addColumn("expires_at", "text", (c) => c.notNull())
    .addColumn("settled_at", "text")
    .execute();
  await db.schema
    .createTable("bank_card")
    .addColumn("reference", "text", (c) => c.primaryKey())
    .addColumn("hint", "text", (c) => c.notNull())
    .addColumn("next_charge", "text", (c) => c.notNull())
    .addColumn("created_at", "text", (c) => c.notNull())
    .execute();
  await db.schema
    .createTable("bank_movement")
    .addColumn("uid", "text", (c) => c.primaryKey())
    .addColumn("reference", "text", (c) => c.notNull())
    .addColumn("at", "text", (c) => c.notNull())
    .addColumn("email", "text", (c) => c.notNull())
    .addColumn("kind", "text", (c) => c.notNull())
    .addColumn("amount", "integer", (c) => c.notNull())
    .addColumn("currency", "text", (c) => c.notNull())
    .addColumn("status", "text", (c) => c.notNull())
    .addUniqueConstraint("bank_movement_once", ["reference", "kind"])
    .execute();
}
