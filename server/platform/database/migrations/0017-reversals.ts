import { sql, type Kysely } from "kysely";

/** Refunds and disputes made at the provider, its events, and who is whose customer there. */
export async function up(db: Kysely<unknown>) {
  await rebuildRefunds(db);
  await db.schema.alterTable("subscription").addColumn("ended_by_payment", "text").execute();
  await createClaims(db);
  await createEvents(db);
  await createCustomers(db);
}

/** A payment may go back in parts and by other hands: only our own refund of it is unique. */
async function rebuildRefunds(db: Kysely<unknown>) {
  await db.schema
    .createTable("refund_rebuilt")
    .addColumn("uid", "text", (c) => c.primaryKey())
    .addColumn("payment_uid", "text", (c) => c.notNull())
    .addColumn("amount", "integer", (c) => c.notNull())
    .addColumn("status", "text", (c) => c.notNull())
    .addColumn("created_at", "text", (c) => c.notNull())
    .addColumn("settled_at", "text")
    .addColumn("made_by", "text", (c) => c.notNull().defaultTo("platform"))
    .addColumn("reference", "text")
    .addColumn("attempt", "integer", (c) => c.notNull().defaultTo(1))
    .execute();
  await sql`insert into refund_rebuilt (uid, payment_uid, amount, status, created_at, settled_at)
    select uid, payment_uid, amount, status, created_at, settled_at from refund`.execute(db);
  await db.schema.dropTable("refund").execute();
  await db.schema.alterTable("refund_rebuilt").renameTo("refund").execute();
  // What had failed was tried again for ever: from now on a failure is the end.
  await sql`update refund set status = 'pending' where status = 'failure'`.execute(db);
  await db.schema
    .createIndex("refund_one_of_ours")
    .unique()
    .on("refund")
    .column("payment_uid")
    .where(sql.ref("made_by"), "=", "platform")
    .execute();
  await db.schema
    .createIndex("refund_by_reference")
    .unique()
    .on("refund")
    .column("reference")
    .where(sql.ref("reference"), "is not", null)
    .execute();
  await db.schema.createIndex("refund_by_payment").on("refund").column("payment_uid").execute();
}

async function createClaims(db: Kysely<unknown>) {
  await db.schema
    .createTable("payment_claim")
    .addColumn("reference", "text", (c) => c.primaryKey())
    .addColumn("payment_uid", "text", (c) => c.notNull())
    .addColumn("kind", "text", (c) => c.notNull())
    .addColumn("amount", "integer", (c) => c.notNull())
    .addColumn("status", "text", (c) => c.notNull())
    .addColumn("created_at", "text", (c) => c.notNull())
    .addColumn("closed_at", "text")
    .execute();
  await db.schema
    .createIndex("payment_claim_by_payment")
    .on("payment_claim")
    .column("payment_uid")
    .execute();
}

async function createEvents(db: Kysely<unknown>) {
  await db.schema
    .createTable("stripe_event")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("type", "text", (c) => c.notNull())
    .addColumn("subject", "text", (c) => c.notNull())
    .addColumn("received_at", "text", (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex("stripe_event_by_date")
    .on("stripe_event")
    .column("received_at")
    .execute();
}

/** The customers who have paid by Stripe are known already: the name of a card begins with its customer's. */
async function createCustomers(db: Kysely<unknown>) {
  await db.schema
    .createTable("stripe_customer")
    .addColumn("account_uid", "text", (c) => c.primaryKey())
    .addColumn("customer", "text", (c) => c.notNull().unique())
    .addColumn("created_at", "text", (c) => c.notNull())
    .execute();
  const { rows } = await sql<{ account_uid: string; card_reference: string; created_at: string }>`
    select account_uid, card_reference, created_at from payment
    where card_reference like 'cus!_%/pm!_%' escape '!' order by created_at desc`.execute(db);
  for (const { account_uid, card_reference, created_at } of rows) {
    const [customer = ""] = card_reference.split("/");
    await sql`insert into stripe_customer (account_uid, customer, created_at)
      values (${account_uid}, ${customer}, ${created_at}) on conflict do nothing`.execute(db);
  }
}
