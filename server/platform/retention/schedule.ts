import { DAY_MS } from "../ports/durations";
import type { Database } from "../database/tables";
import { enqueue } from "../jobs/queue";

/** Kind of the job that removes what is over (`ends.ts`). */
export const RETENTION = "retention.purge";

/** Something was written that is over in hours or days: looked after from the next midnight on. */
export const scheduleDailyPurge = (db: Database, now: Date) => schedule(db, midnightAfter(now));

/** What is over in months or years is looked after once a month. */
export const scheduleMonthlyPurge = (db: Database, now: Date) =>
  schedule(db, new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)));

/** The rest of what one run did not get to, after other work that is due. */
export const continuePurge = (db: Database, now: Date, round: number) => schedule(db, now, round);

/** Once for a moment, whoever asks. */
async function schedule(db: Database, runAt: Date, round = 0) {
  const key = `${RETENTION}:${runAt.toISOString()}:${round}`;
  await enqueue(db, { kind: RETENTION, key, payload: { round }, runAt });
}

const midnightAfter = (now: Date) => new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS + DAY_MS);
