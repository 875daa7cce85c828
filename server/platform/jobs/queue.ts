import { sql } from "kysely";
import { HOUR_MS, MINUTE_MS } from "../ports/durations";
import type { RetryPace } from "../ports/retry-pace";
import type { Clock } from "../ports/clock";
import { newUid } from "../ports/ids";
import type { Database, Tables } from "../database/tables";

export type JobRequest = {
  kind: string;
  payload: object;
  runAt: Date;
  /** A second job with the same key is ignored. */
  key?: string | undefined;
};

/**
 * The jobs whose keys begin with these parts. A range of the unique index on `key`, which both databases compare
 * by bytes: the colon after the last part is followed by the semicolon.
 */
export const hasKeyOf = (parts: string) =>
  sql<boolean>`job.key >= ${`${parts}:`} and job.key < ${`${parts};`}`;

/** Enqueues inside the caller's transaction: the job exists exactly when its cause is committed. */
export async function enqueue(db: Database, job: JobRequest) {
  await db
    .insertInto("job")
    .values({
      uid: newUid(),
      kind: job.kind,
      key: job.key ?? null,
      payload: JSON.stringify(job.payload),
      run_at: job.runAt.toISOString(),
      attempts: 0,
      lease_until: null,
      done_at: null,
      error: null,
    })
    .onConflict((conflict) => conflict.column("key").doNothing())
    .execute();
}

export const LEASE_MS = 60_000;

export type LeasedJob = { uid: string; kind: string; payload: unknown; attempts: number };

/**
 * Leases the next due job of these kinds, or null. When its worker dies, the job is due after the
 * lease.
 */
export async function leaseNext(
  db: Database,
  clock: Clock,
  kinds: readonly string[],
): Promise<LeasedJob | null> {
  for (;;) {
    const free = await findDue(db, clock.now(), kinds);
    if (!free) return null;
    const taken = await lease(db, clock.now(), free);
    if (taken) return { ...taken, payload: JSON.parse(taken.payload) };
    // Another process leased this job first; look for the next.
  }
}

type Free = { uid: string; attempts: number };

async function findDue(
  db: Database,
  now: Date,
  kinds: readonly string[],
): Promise<Free | undefined> {
  const moment = now.toISOString();
  return db
    .selectFrom("job")
    .select(["uid", "attempts"])
    .where("kind", "in", kinds)
    .where("done_at", "is", null)
    .where("run_at", "<=", moment)
    .where((e) => e.or([e("lease_until", "is", null), e("lease_until", "<", moment)]))
    .orderBy("run_at")
    .orderBy("uid")
    .limit(1)
    .executeTakeFirst();
}

async function lease(db: Database, now: Date, { uid, attempts }: Free) {
  return db
    .updateTable("job")
    .set({
      attempts: attempts + 1,
      lease_until: new Date(now.getTime() + LEASE_MS).toISOString(),
    })
    .where("uid", "=", uid)
    .where("attempts", "=", attempts)
    .where("done_at", "is", null)
    .returningAll()
    .executeTakeFirst();
}

/** Prolongs the lease of a job that takes long. */
export async function renewLease(db: Database, clock: Clock, job: LeasedJob) {
  const lease_until = new Date(clock.now().getTime() + LEASE_MS).toISOString();
  await updateLeased(db, job, { lease_until });
}

export async function finish(db: Database, clock: Clock, job: LeasedJob) {
  await updateLeased(db, job, { done_at: clock.now().toISOString(), lease_until: null });
}

/** Longest delay of a retry. */
export const MAX_RETRY_MS = HOUR_MS;
/** The same of what may have been done already. */
export const MAX_SLOW_RETRY_MS = 6 * HOUR_MS;

/** The first pause, and the longest one. */
const PAUSES: Record<RetryPace, { first: number; longest: number }> = {
  usual: { first: 10_000, longest: MAX_RETRY_MS },
  slow: { first: 10 * MINUTE_MS, longest: MAX_SLOW_RETRY_MS },
};

/** Schedules a retry: after pauses that double. Jitter spreads jobs that failed together. */
export async function postpone(
  db: Database,
  clock: Clock,
  job: LeasedJob,
  { error, pace = "usual" }: { error: string; pace?: RetryPace },
) {
  const { first, longest } = PAUSES[pace];
  const delay = Math.min(first * 2 ** (job.attempts - 1), longest);
  const jitter = 1 - MAX_JITTER * Math.random();
  const run_at = new Date(clock.now().getTime() + delay * jitter).toISOString();
  await updateLeased(db, job, { run_at, lease_until: null, error: error.slice(0, 500) });
}

const MAX_JITTER = 0.25;

/**
 * Gives back a job that has begun and not ended: another process may begin it at once. The attempt counts, so
 * that what this process still does of it changes nothing once another one has the job.
 */
export async function giveBack(db: Database, job: LeasedJob) {
  await updateLeased(db, job, { lease_until: null });
}

/** Returns a claimed job that was not started; it does not count as an attempt. */
export async function deferTo(db: Database, job: LeasedJob, until: Date) {
  const attempts = job.attempts - 1;
  await updateLeased(db, job, { run_at: until.toISOString(), lease_until: null, attempts });
}

type Change = Partial<
  Pick<Tables["job"], "run_at" | "lease_until" | "done_at" | "error" | "attempts">
>;

/** Changes nothing when the lease ran out and another process has leased the job since. */
async function updateLeased(db: Database, { uid, attempts }: LeasedJob, change: Change) {
  await db
    .updateTable("job")
    .set(change)
    .where("uid", "=", uid)
    .where("attempts", "=", attempts)
    .where("done_at", "is", null)
    .execute();
}
