import { sql, type Kysely } from "kysely";

const HOUR_MS = 3_600_000;
/** The checks of a contract come every two weeks, and its first one within them. */
const HOURS = 14 * 24;

/** Contracts of earlier releases get the job that reads what went back of their payments, spread over two weeks. */
export async function up(db: Kysely<unknown>) {
  const { rows } = await sql<{ uid: string; expires_at: string }>`select uid, expires_at
    from subscription where ended_at is null or ended_by_payment is not null
    order by uid`.execute(db);
  for (const [index, { uid, expires_at }] of rows.entries()) {
    const payload = JSON.stringify({ subscriptionUid: uid, due: expires_at });
    const runAt = new Date(Date.now() + (index % HOURS) * HOUR_MS).toISOString();
    await sql`insert into job (uid, kind, key, payload, run_at, attempts)
      values (${`reversal-check:${uid}`}, 'subscription.check-reversals',
        ${`subscription.check-reversals:${uid}:first`}, ${payload}, ${runAt}, 0)
      on conflict (key) do nothing`.execute(db);
  }
}
