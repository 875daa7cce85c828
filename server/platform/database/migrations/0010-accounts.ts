import { sql, type Kysely } from "kysely";

/** Sessions people can see and end, addresses they signed in from, links to a new password. */
export async function up(db: Kysely<unknown>) {
  await widenAccounts(db);
  await widenSessions(db);
  await createAddresses(db);
  await createResets(db);
}

async function widenAccounts(db: Kysely<unknown>) {
  await db.schema.alterTable("account").addColumn("origin", "text").execute();
  await sql`update account set origin = (
    select payment.origin from payment
    where payment.account_uid = account.uid and payment.origin is not null
    order by payment.created_at desc limit 1
  )`.execute(db);
}

async function widenSessions(db: Kysely<unknown>) {
  await db.schema
    .alterTable("account_session")
    .addColumn("last_seen_at", "text", (c) => c.notNull().defaultTo(""))
    .execute();
  await db.schema.alterTable("account_session").addColumn("device", "text").execute();
  await sql`update account_session set last_seen_at = created_at`.execute(db);
}

async function createAddresses(db: Kysely<unknown>) {
  await db.schema
    .createTable("account_address")
    .addColumn("address_key", "text", (c) => c.primaryKey())
    .addColumn("account_uid", "text", (c) => c.notNull().references("account.uid"))
    .addColumn("seen_at", "text", (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex("account_address_by_account")
    .on("account_address")
    .column("account_uid")
    .execute();
}

async function createResets(db: Kysely<unknown>) {
  await db.schema
    .createTable("password_reset_request")
    .addColumn("uid", "text", (c) => c.primaryKey())
    .addColumn("identifier_key", "text", (c) => c.notNull())
    .addColumn("origin", "text", (c) => c.notNull())
    .addColumn("requested_at", "text", (c) => c.notNull())
    .execute();
  await db.schema
    .createTable("password_reset")
    .addColumn("uid", "text", (c) => c.primaryKey())
    .addColumn("account_uid", "text", (c) => c.notNull().references("account.uid"))
    .addColumn("secret_hash", "text", (c) => c.notNull().unique())
    .addColumn("created_at", "text", (c) => c.notNull())
    .addColumn("expires_at", "text", (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex("password_reset_by_account")
    .on("password_reset")
    .column("account_uid")
    .execute();
}
