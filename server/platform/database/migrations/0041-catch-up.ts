import { sql, type Kysely } from "kysely";

/**
 * Each contract notes the card whose expiry was mailed. The rest is what this release decides at its own
 * moment, for databases in which that moment has passed.
 */
export async function up(db: Kysely<unknown>) {
  await db.schema.alterTable("subscription").addColumn("card_told", "text").execute();
  await decideDemonstration(db);
  await adoptFirstTerms(db);
  await announceLongTrials(db);
}

/** The public tokens came with the demonstration only. A database without formulas was never started. */
async function decideDemonstration(db: Kysely<unknown>) {
  await sql`insert into setting (name, value)
    select 'seed.demonstration', case
      when exists (select 1 from seed_entry where name = 'traffic_token demo-cashback')
      then 'taken' else 'declined' end
    where exists (select 1 from seed_entry where name like 'formula %')`.execute(db);
}

/**
 * Contracts from before versions of the terms were recorded have the first one. Some were told that they
 * would follow it one day, which changes nothing for them.
 */
async function adoptFirstTerms(db: Kysely<unknown>) {
  const first = sql`(select digest from terms_version order by number limit 1)`;
  const isOlder = sql`(select terms_digest from payment
    where payment.uid = subscription.payment_uid) is null`;
  await sql`update subscription set terms_digest = ${first} where terms_digest is null`.execute(db);
  await sql`update subscription set terms_apply_at = null, terms_told_at = null
    where terms_digest = ${first} and terms_before is null and ${isOlder}`.execute(db);
  await sql`update subscription set terms_before = ${first}
    where terms_before is null and terms_apply_at is not null and ${isOlder}`.execute(db);
}

type Trial = { uid: string; started_at: string; expires_at: string };

const DAY_MS = 24 * 3_600_000;
/** Three months with a February. */
const LONG_TRIAL_MS = 89 * DAY_MS;
/** Between three months and one, as the law asks. */
const NOTICE_MS = 60 * DAY_MS;

/** The end of a long trial is announced two months ahead; a late mail is better than none. */
async function announceLongTrials(db: Kysely<unknown>) {
  const { rows } = await sql<Trial>`select uid, started_at, expires_at from subscription
    where ended_at is null and cancelled_at is null
    and period_start is null and anchor_at = expires_at`.execute(db);
  for (const { uid, started_at, expires_at } of rows) {
    if (Date.parse(expires_at) - Date.parse(started_at) < LONG_TRIAL_MS) continue;
    const payload = JSON.stringify({ subscriptionUid: uid, due: expires_at });
    const runAt = new Date(Date.parse(expires_at) - NOTICE_MS).toISOString();
    await sql`insert into job (uid, kind, key, payload, run_at, attempts)
      values (${`long-trial:${uid}`}, 'subscription.notice',
        ${`subscription.notice:${uid}:${expires_at}`}, ${payload}, ${runAt}, 0)
      on conflict (key) do nothing`.execute(db);
  }
}
