import { sql, type Kysely } from "kysely";

/** Notices that repeat one another or wait for a day, the right that outlives a profile, releases. */
export async function up(db: Kysely<unknown>) {
  await widenNotices(db);
  await db.schema.alterTable("subscription").addColumn("former_key", "text").execute();
  await db.schema
    .createIndex("subscription_by_former_key")
    .on("subscription")
    .column("former_key")
    .execute();
  await createReleases(db);
}

async function widenNotices(db: Kysely<unknown>) {
  const table = () => db.schema.alterTable("contract_notice");
  await table()
    .addColumn("email_key", "text", (c) => c.notNull().defaultTo(""))
    .execute();
  await table().addColumn("repeats_uid", "text").execute();
  await table().addColumn("stops_at", "text").execute();
  await table().addColumn("sender_key", "text").execute();
  await sql`update contract_notice set email_key = lower(trim(email))`.execute(db);
  await sql`update contract_notice set stops_at = received_at
    where kind = 'cancellation' and subscription_uid is not null`.execute(db);
  await db.schema
    .createIndex("contract_notice_by_email")
    .on("contract_notice")
    .columns(["email_key", "received_at"])
    .execute();
  await db.schema
    .createIndex("contract_notice_by_subscription")
    .on("contract_notice")
    .column("subscription_uid")
    .execute();
}

async function createReleases(db: Kysely<unknown>) {
  await db.schema
    .createTable("address_release")
    .addColumn("uid", "text", (c) => c.primaryKey())
    .addColumn("account_uid", "text", (c) => c.notNull().references("account.uid"))
    .addColumn("secret_hash", "text", (c) => c.notNull().unique())
    .addColumn("created_at", "text", (c) => c.notNull())
    .addColumn("expires_at", "text", (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex("address_release_by_account")
    .on("address_release")
    .column("account_uid")
    .execute();
}
