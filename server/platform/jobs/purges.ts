import { DAY_MS } from "../ports/durations";
import type { Database } from "../database/tables";
import { enqueue } from "./queue";

/** Kind of the job that deletes expired rows (`ends.ts`). */
export const RETENTION = "retention.purge";

/** Schedules a purge at the next midnight, for rows that expire within days. */
export const scheduleDailyPurge = (db: Database, now: Date) => schedule(db, midnightAfter(now));

/** Schedules a purge at the start of the next month, for rows that expire after months or years. */
export const scheduleMonthlyPurge = (db: Database, now: Date) =>
  schedule(db, new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)));

type Round = { round: number; unfinished: string[] };

/** Schedules the next batch of a purge, behind other due jobs. */
export const continuePurge = (db: Database, now: Date, next: Round) => schedule(db, now, next);

/** Schedules a purge at the time that a mail announced. */
export const schedulePurge = (db: Database, runAt: Date) => schedule(db, runAt);

/** Enqueues one purge per time. */
async function schedule(db: Database, runAt: Date, payload: Round = { round: 0, unfinished: [] }) {
  const key = `${RETENTION}:${runAt.toISOString()}:${payload.round}`;
  await enqueue(db, { kind: RETENTION, key, payload, runAt });
}

const midnightAfter = (now: Date) => new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS + DAY_MS);
