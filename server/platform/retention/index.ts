import { z } from "zod/v4";
import type { Database } from "../database/tables";
import type { Workers } from "../jobs/runner";
import type { RetentionContext as Options } from "./context";
import { ENDS } from "./ends";
import { scheduleAccountEnds } from "./idle-accounts";
import { continuePurge, RETENTION, scheduleDailyPurge, scheduleMonthlyPurge } from "../jobs/purges";

/** Tables whose rows expire within days. */
const SHORT_LIVED = [
  "limited_event",
  "account_session",
  "account_address",
  "password_reset",
  "password_reset_request",
  "address_release",
  "support_link",
  "support_link_request",
] as const;

const work = z.object({ round: z.int() });

export const retentionWorkers = (options: Options): Workers => ({
  [RETENTION]: (payload) => purge(options, work.parse(payload).round),
});

/** Schedules the first purge of a new database. */
export const scheduleFirstPurge = ({ db, clock }: Pick<Options, "db" | "clock">) =>
  scheduleMonthlyPurge(db, clock.now());

/**
 * Deletes a batch of expired rows from each table and schedules the rest after other due jobs, so
 * that no statement is long and no mail waits. When one table fails, the others are purged first;
 * then the job fails.
 */
async function purge(options: Options, round: number) {
  const { db, clock } = options;
  const faults: unknown[] = [];
  let isMore = false;
  for (const end of Object.values(ENDS)) {
    if (!("purge" in end)) continue;
    for (const some of end.purge) {
      try {
        isMore = (await some(options)) || isMore;
      } catch (error) {
        faults.push(error);
      }
    }
  }
  const now = clock.now();
  await scheduleMonthlyPurge(db, now);
  await scheduleAccountEnds(options);
  if (await hasShortLivedRows(db)) await scheduleDailyPurge(db, now);
  if (isMore) await continuePurge(db, now, round + 1);
  if (faults.length > 0) throw new AggregateError(faults, "Some tables could not be purged");
}

async function hasShortLivedRows(db: Database) {
  for (const table of SHORT_LIVED) {
    const row = await db
      .selectFrom(table)
      .select((e) => e.lit(1).as("one"))
      .limit(1)
      .execute();
    if (row.length > 0) return true;
  }
  return false;
}
