import { sql, type Kysely } from "kysely";

export async function up(db: Kysely<unknown>) {
  await db.schema
    .createTable("formula")
    .addColumn("uid", "text", (c) => c.primaryKey())
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("amount", "integer", (c) => c.notNull())
    .addColumn("trial_amount", "integer")
    .addColumn("credit_amount", "integer")
    .addColumn("trial_duration", "integer")
    .addColumn("trial_duration_unit", "text")
    .addColumn("period_duration", "integer", (c) => c.notNull())
    .addColumn("period_duration_unit", "text", (c) => c.notNull())
    .execute();
  await db.schema
    .createTable("traffic_token")
    .addColumn("value", "text", (c) => c.primaryKey())
    .addColumn("formula_uid", "text", (c) => c.notNull().references("formula.uid"))
    .addColumn("is_valid", "integer", (c) => c.notNull())
    .execute();
  await createPayments(db);
  await createSubscriptions(db);
}

async function createPayments(db: Kysely<unknown>) {
  await db.schema
    .createTable("payment")
    .addColumn("uid", "text", (c) => c.primaryKey())
    .addColumn("account_uid", "text", (c) => c.notNull().references("account.uid"))
    .addColumn("formula_uid", "text", (c) => c.notNull().references("formula.uid"))
    .addColumn("traffic_token", "text")
    .addColumn("kind", "text", (c) => c.notNull())
    .addColumn("amount", "integer", (c) => c.notNull())
    .addColumn("cashback", "integer", (c) => c.notNull())
    .addColumn("affiliation_token", "text")
    .addColumn("affiliation_platform", "text")
    .addColumn("idempotency_key", "text", (c) => c.unique())
    .addColumn("intent_digest", "text")
    .addColumn("status", "text", (c) => c.notNull())
    .addColumn("error_code", "text")
    .addColumn("error_message", "text")
    .addColumn("gateway_reference", "text", (c) => c.unique())
    .addColumn("card_reference", "text")
    .addColumn("card_hint", "text")
    .addColumn("created_at", "text", (c) => c.notNull())
    .addColumn("settled_at", "text")
    .execute();
  // One first payment at a time per person, whatever the number of tabs.
  await db.schema
    .createIndex("payment_one_unsettled")
    .unique()
    .on("payment")
    .column("account_uid")
    .where(sql.ref("status"), "in", ["open", "pending"])
    .execute();
  await db.schema
    .createIndex("payment_by_account")
    .on("payment")
    .columns(["account_uid", "created_at"])
    .execute();
}

async function createSubscriptions(db: Kysely<unknown>) {
  await db.schema
    .createTable("subscription")
    .addColumn("uid", "text", (c) => c.primaryKey())
    .addColumn("account_uid", "text", (c) => c.notNull().references("account.uid"))
    .addColumn("formula_uid", "text", (c) => c.notNull().references("formula.uid"))
    .addColumn("payment_uid", "text", (c) => c.notNull().unique().references("payment.uid"))
    .addColumn("amount", "integer", (c) => c.notNull())
    .addColumn("trial_amount", "integer")
    .addColumn("credits", "integer")
    .addColumn("card_reference", "text")
    .addColumn("started_at", "text", (c) => c.notNull())
    .addColumn("activates_at", "text", (c) => c.notNull())
    .addColumn("expires_at", "text", (c) => c.notNull())
    .addColumn("cancelled_at", "text")
    .addColumn("ended_at", "text")
    .execute();
  await db.schema
    .createIndex("subscription_one_running")
    .unique()
    .on("subscription")
    .column("account_uid")
    .where(sql.ref("ended_at"), "is", null)
    .execute();
}
