import { sql, type Kysely } from "kysely";

/** Card payments, renewals, refunds, notices by anybody, mails and limits. */
export async function up(db: Kysely<unknown>) {
  await widenPayments(db);
  await widenSubscriptions(db);
  await createRefunds(db);
  await createNotices(db);
  await createMails(db);
  await createLimits(db);
}

async function widenPayments(db: Kysely<unknown>) {
  await db.schema.alterTable("payment").addColumn("subscription_uid", "text").execute();
  await db.schema.alterTable("payment").addColumn("period_start", "text").execute();
  await db.schema.alterTable("payment").addColumn("redirect_url", "text").execute();
  await db.schema.alterTable("payment").addColumn("origin", "text").execute();
  // Renewals are charged without the person: only first payments compete for the one place.
  await db.schema.dropIndex("payment_one_unsettled").execute();
  await db.schema
    .createIndex("payment_one_unsettled")
    .unique()
    .on("payment")
    .column("account_uid")
    .where(sql.ref("status"), "in", ["open", "pending"])
    .where(sql.ref("kind"), "=", "first")
    .execute();
  // One successful or undecided charge for a period, whatever the number of tries.
  await db.schema
    .createIndex("payment_one_per_period")
    .unique()
    .on("payment")
    .columns(["subscription_uid", "period_start"])
    .where(sql.ref("status"), "in", ["open", "pending", "success"])
    .execute();
}

async function widenSubscriptions(db: Kysely<unknown>) {
  const table = () => db.schema.alterTable("subscription");
  await table().addColumn("period_start", "text").execute();
  await table()
    .addColumn("renewal_attempts", "integer", (c) => c.notNull().defaultTo(0))
    .execute();
  await table().addColumn("grace_until", "text").execute();
  await table().addColumn("withdrawn_at", "text").execute();
  await table().addColumn("origin", "text").execute();
}

async function createRefunds(db: Kysely<unknown>) {
  await db.schema
    .createTable("refund")
    .addColumn("uid", "text", (c) => c.primaryKey())
    .addColumn("payment_uid", "text", (c) => c.notNull().unique())
    .addColumn("amount", "integer", (c) => c.notNull())
    .addColumn("status", "text", (c) => c.notNull())
    .addColumn("created_at", "text", (c) => c.notNull())
    .addColumn("settled_at", "text")
    .execute();
}

async function createNotices(db: Kysely<unknown>) {
  await db.schema
    .createTable("contract_notice")
    .addColumn("uid", "text", (c) => c.primaryKey())
    .addColumn("kind", "text", (c) => c.notNull())
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("email", "text", (c) => c.notNull())
    .addColumn("reference", "text")
    .addColumn("wished_date", "text")
    .addColumn("received_at", "text", (c) => c.notNull())
    .addColumn("subscription_uid", "text")
    .addColumn("undo_hash", "text", (c) => c.unique())
    .addColumn("undo_until", "text")
    .addColumn("undone_at", "text")
    .execute();
}

async function createMails(db: Kysely<unknown>) {
  await db.schema
    .createTable("mail")
    .addColumn("uid", "text", (c) => c.primaryKey())
    .addColumn("key", "text", (c) => c.unique())
    .addColumn("recipient", "text", (c) => c.notNull())
    .addColumn("subject", "text", (c) => c.notNull())
    .addColumn("text", "text", (c) => c.notNull())
    .addColumn("html", "text", (c) => c.notNull())
    .addColumn("created_at", "text", (c) => c.notNull())
    .addColumn("sent_at", "text")
    .execute();
}

async function createLimits(db: Kysely<unknown>) {
  await db.schema
    .createTable("limited_event")
    .addColumn("uid", "text", (c) => c.primaryKey())
    .addColumn("scope", "text", (c) => c.notNull())
    .addColumn("subject", "text", (c) => c.notNull())
    .addColumn("at", "text", (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex("limited_event_by_subject")
    .on("limited_event")
    .columns(["scope", "subject", "at"])
    .execute();
}
