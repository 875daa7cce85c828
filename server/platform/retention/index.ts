import { sql, type RawBuilder } from "kysely";
import { z } from "zod/v4";
import type { Database } from "../database/tables";
import type { Workers } from "../jobs/runner";
import type { RetentionContext as Options } from "./context";
import { ENDS, type Purge } from "./ends";
import { scheduleAccountEnds } from "./idle-accounts";
import { continuePurge, RETENTION, scheduleDailyPurge, scheduleMonthlyPurge } from "../jobs/purges";

const work = z.object({ round: z.int(), unfinished: z.array(z.string()).default([]) });

type Round = z.infer<typeof work>;

export const retentionWorkers = (options: Options): Workers => ({
  [RETENTION]: (payload) => purge(options, work.parse(payload)),
});

/** Schedules the first purge of a new database. */
export const scheduleFirstPurge = ({ db, clock }: Pick<Options, "db" | "clock">) =>
  scheduleMonthlyPurge(db, clock.now());

/**
 * Deletes a batch of expired rows from each table and schedules the rest after other due jobs, so
 * that no statement is long and no mail waits. When one table fails, the others are purged first;
 * then the job fails.
 */
async function purge(options: Options, { round, unfinished }: Round) {
  const { db, clock } = options;
  const faults: unknown[] = [];
  const left: string[] = [];
  for (const { name, isDue, run } of await selectPurges(options, { round, unfinished })) {
    try {
      const isMore = await run(options);
      if (isMore || (isDue !== undefined && round < REFERRED_ROUNDS)) left.push(name);
    } catch (error) {
      faults.push(error);
    }
  }
  const now = clock.now();
  await scheduleMonthlyPurge(db, now);
  if (await hasShortLivedRows(db)) await scheduleDailyPurge(db, now);
  // The last round finds the next end, once for all rounds.
  if (left.length > 0) await continuePurge(db, now, { round: round + 1, unfinished: left });
  else await scheduleAccountEnds(options);
  if (faults.length > 0) throw new AggregateError(faults, "Some tables could not be purged");
}

const ends = Object.entries(ENDS);

type NamedPurge = Purge & { name: string };

const PURGES: readonly NamedPurge[] = ends.flatMap(([table, end]) => {
  const purges = "daily" in end ? end.daily : "monthly" in end ? end.monthly : [];
  return purges.map((purge, index) => ({ ...purge, name: `${table} ${index}` }));
});

/** Tables whose rows expire within days. */
const SHORT_LIVED = ends.flatMap(([table, end]) => ("daily" in end ? [table] : []));

/**
 * Most rounds in a row for rows that others still referred to when a round began. On a busy site something expires
 * at any time, so without a limit rounds could follow without end.
 */
export const REFERRED_ROUNDS = 4;

/**
 * The purges of a round. Very many expired rows of one table, as a stranger can cause, take hundreds of rounds: in
 * those, each purge runs only as long as it finds a batch, and no other table is asked.
 */
async function selectPurges(options: Options, { round, unfinished }: Round) {
  if (round <= REFERRED_ROUNDS) return findDue(options, PURGES);
  return PURGES.filter(({ name }) => unfinished.includes(name));
}

/** Conditions in one statement, which must not hold SQLite for long. */
const ASKED_AT_ONCE = 10;

/** Of these purges, those that have something to delete, or that look for it themselves. */
async function findDue(options: Options, purges: readonly NamedPurge[]) {
  const asked = purges.map(({ isDue }) => isDue?.(options) ?? sql`1 = 1`);
  try {
    const due = await readConditions(options.db, asked);
    return purges.filter((_, index) => due[index]);
  } catch (err) {
    // One table fails. The others are purged all the same.
    options.log.error({ err }, "it could not be read what has expired; all of it is looked for");
    return purges;
  }
}

async function hasShortLivedRows(db: Database): Promise<boolean> {
  const rows = SHORT_LIVED.map((table) => sql`exists (select 1 from ${sql.table(table)})`);
  return (await readConditions(db, rows)).includes(true);
}

/** Whether each condition holds. */
async function readConditions(db: Database, conditions: readonly RawBuilder<unknown>[]) {
  const holds: boolean[] = [];
  for (let start = 0; start < conditions.length; start += ASKED_AT_ONCE) {
    const some = conditions.slice(start, start + ASKED_AT_ONCE);
    const columns = some.map((one, index) => sql`${one} as ${sql.ref(`c${index}`)}`);
    const { rows } = await sql<
      Record<string, boolean | number>
    >`select ${sql.join(columns)}`.execute(db);
    // SQLite has numbers.
    holds.push(...some.map((_, index) => Boolean(rows[0]?.[`c${index}`])));
  }
  return holds;
}
