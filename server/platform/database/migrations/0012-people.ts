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
  await refundWithdrawals(db);
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

const DAY_MS = 24 * 3_600_000;
const UNDO_DAYS = 7;

type Withdrawal = {
  uid: string;
  received_at: string;
  subscription_uid: string;
};

/**
 * Withdrawals that waited for their link: from now on they stop the contract, and the money goes back
 * a week after they came unless they are undone, as of those that come now.
 */
async function refundWithdrawals(db: Kysely<unknown>) {
  const now = new Date().toISOString();
  const { rows } = await sql<Withdrawal>`select uid, received_at, subscription_uid
    from contract_notice
    where kind = 'withdrawal' and confirmed_at is null and undone_at is null and undo_until > ${now}
      and exists (select 1 from subscription
        where subscription.uid = contract_notice.subscription_uid and withdrawn_at is null)
    order by received_at, uid`.execute(db);
  for (const withdrawal of rows) await refundInAWeek(db, withdrawal, now);
}

async function refundInAWeek(
  db: Kysely<unknown>,
  { uid, received_at, subscription_uid }: Withdrawal,
  now: string,
) {
  await sql`update subscription set cancelled_at = ${received_at},
      grace_until = case when expires_at > ${now} then null else grace_until end
    where uid = ${subscription_uid} and cancelled_at is null and ended_at is null`.execute(db);
  // Not where its owner had stopped it: then undoing the notice must not let it go on.
  await sql`update contract_notice set stops_at = received_at
    where uid = ${uid} and exists (select 1 from subscription
      where subscription.uid = contract_notice.subscription_uid and ended_at is null
        and (cancelled_at = contract_notice.received_at or cancelled_at in
          (select other.stops_at from contract_notice other
            where other.subscription_uid = contract_notice.subscription_uid
              and other.undone_at is null and other.undo_until > ${now})))`.execute(db);
  const refundAt = new Date(Date.parse(received_at) + UNDO_DAYS * DAY_MS).toISOString();
  await sql`update contract_notice set undo_until = ${refundAt} where uid = ${uid}`.execute(db);
  const [key, payload] = [`notice.refund:${uid}`, JSON.stringify({ noticeUid: uid })];
  await sql`insert into job (uid, kind, key, payload, run_at, attempts)
    values (${key}, 'notice.refund', ${key}, ${payload}, ${refundAt}, 0)`.execute(db);
}
