import { currentSpan, runAs } from "../../current-work";
import { traces } from "../../traces";
import { typeOf, type NewSpan } from "../../traces/span";
import type { Clock } from "../ports/clock";
import { isDatabaseUnavailable, isErrorOfUnavailableDatabase } from "../database/unavailable";
import type { OutageWatch } from "../database/outage";
import type { Log } from "../ports/log";
import type { RetryPace } from "../ports/retry-pace";
import type { Database } from "../database/tables";
import {
  deferTo,
  finish,
  giveBack,
  LEASE_MS,
  leaseNext,
  postpone,
  renewLease,
  type LeasedJob,
} from "./queue";

/** Runs one kind of job. A job may run twice, so its effect must be idempotent. */
export type Worker = (payload: unknown) => Promise<void>;
export type Workers = Record<string, Worker>;

/** Thrown by a job that must wait for a reason that is logged already, or that nobody must hear of. */
export class JobWaiting extends Error {
  override name = "JobWaiting";

  constructor(
    message: string,
    /** Set when the work was not started: the job runs again then, and this is no attempt. */
    readonly until?: Date,
    readonly pace: RetryPace = "usual",
  ) {
    super(message);
  }
}

type Options = {
  db: Database;
  clock: Clock;
  log: Log;
  /**
   * Each lane runs its kinds of jobs one after the other, in parallel to the other lanes: a payment
   * provider that hangs does not delay mails.
   */
  lanes: readonly Workers[];
  /**
   * Whether no job of this kind is to be begun now, because what it needs is known to be away. While jobs run in the
   * background, they then keep their places, and another process may begin them.
   */
  isPaused?: ((kind: string) => boolean) | undefined;
  /** Wakes the lanes when the database is back. */
  outages?: Pick<OutageWatch, "onEnd"> | undefined;
};

const IDLE_MS = 500;
/** Longest pause of a lane while the database is away. */
const MAX_AWAY_MS = 5_000;

/** Longest run of a job. One that takes longer waits for what never comes, and is tried again. */
const MAX_RUN_MS = 10 * 60_000;

/** Runs all jobs that are due now, of all lanes, in order; returns their number. */
export const runDueJobs = (options: Options) => runLane(workersOf(options), options, newLane());

/** Runs all due jobs and, while the sandbox clock moves ahead, all that become due on its way. */
export const runThrough = (options: Options) =>
  runLaneThrough(workersOf(options), options, newLane());

/** Jobs that have begun and not ended, each with its lease. */
type Running = Map<LeasedJob, Lease>;

/** What one run of a lane asks before each job, and where it notes the job. */
type Lane = {
  isStopped: () => boolean;
  isPaused?: ((kind: string) => boolean) | undefined;
  running: Running;
};

const newLane = (): Lane => ({ isStopped: () => false, running: new Map() });

/** Runs due jobs until stopped; `stop` starts no other, and waits until those that run have ended. */
export function startJobs(options: Options) {
  const running: Running = new Map();
  const lanes = options.lanes.map((workers) => startLane(workers, options, running));
  return {
    async stop() {
      await Promise.all(lanes.map((lane) => lane.stop()));
    },
    /** Kinds of the jobs that run. */
    underWay: () => [...running.keys()].map(({ kind }) => kind),
    /** Gives the jobs that run back to other processes. This one must end before they go on. */
    async giveBack() {
      for (const lease of running.values()) lease.stop();
      await Promise.all([...running.keys()].map((job) => giveBack(options.db, job)));
    },
  };
}

const workersOf = ({ lanes }: Options): Workers =>
  Object.fromEntries(lanes.flatMap((workers) => Object.entries(workers)));

function startLane(workers: Workers, options: Options, running: Running) {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let current = Promise.resolve();
  let pauseMs = IDLE_MS;
  // A clock that is moved ahead stops at the next job that is due: there, a job that must wait is put off instead.
  const isPaused = options.clock.catchUp ? undefined : options.isPaused;
  const runOnce = async () => {
    try {
      await runLaneThrough(workers, options, { isStopped: () => stopped, isPaused, running });
      pauseMs = IDLE_MS;
    } catch (error) {
      options.log.error({ err: error }, "jobs failed");
      pauseMs = isDatabaseUnavailable(error) ? Math.min(2 * pauseMs, MAX_AWAY_MS) : IDLE_MS;
    }
    if (!stopped) timer = setTimeout(next, pauseMs).unref();
  };
  const next = () => {
    timer = undefined;
    current = runOnce();
  };
  const stopListening = options.outages?.onEnd(() => {
    if (!timer) return;
    clearTimeout(timer);
    next();
  });
  next();
  return {
    async stop() {
      stopped = true;
      stopListening?.();
      clearTimeout(timer);
      await current;
    },
  };
}

async function runLaneThrough(workers: Workers, options: Options, lane: Lane) {
  let count = await runLane(workers, options, lane);
  while (!lane.isStopped() && (await options.clock.catchUp?.())) {
    count += await runLane(workers, options, lane);
  }
  return count;
}

async function runLane(workers: Workers, options: Options, lane: Lane) {
  for (let count = 0; ; count++) {
    const kinds = Object.keys(workers).filter((kind) => !lane.isPaused?.(kind));
    if (lane.isStopped() || kinds.length === 0) return count;
    const job = await leaseNext(options.db, options.clock, kinds);
    if (!job) return count;
    const span = traces()?.begin(spanOf(job));
    const work = { job: job.uid, kind: job.kind, span };
    const running = runAs(work, () => run(job, workers, options, lane.running));
    await running.finally(() => span?.end());
  }
}

/** Each run is a trace of its own. What the job is about may name a person, and stays out. */
const spanOf = ({ uid, kind, attempts }: LeasedJob): NewSpan => ({
  name: `job ${kind}`,
  kind: "internal",
  attributes: { "cap.job.uid": uid, "cap.job.kind": kind, "cap.job.attempt": attempts },
});

async function run(
  job: LeasedJob,
  workers: Workers,
  { db, clock, log }: Options,
  running: Running,
) {
  const lease = keepLease(job, { db, clock, log });
  running.set(job, lease);
  try {
    // The lane goes on though the job may hang for ever.
    await Promise.race([workers[job.kind]?.(job.payload), lease.over]);
    await finish(db, clock, job);
  } catch (error) {
    if (error instanceof JobWaiting && error.until) return deferTo(db, job, error.until);
    logFailure(log, job, error);
    currentSpan()?.fail(typeOf(error));
    const reason = error instanceof Error ? error.message : String(error);
    await postpone(db, clock, job, { error: reason, pace: paceOf(error) });
  } finally {
    lease.stop();
    running.delete(job);
  }
}

const paceOf = (error: unknown): RetryPace =>
  error instanceof Error && "pace" in error && error.pace === "slow" ? "slow" : "usual";

type Lease = ReturnType<typeof keepLease>;

/**
 * Renews the lease while the job runs: several calls of a slow provider take longer than a lease, and another
 * process would begin them again. `over` rejects when the job has run too long.
 */
function keepLease(job: LeasedJob, { db, clock, log }: Pick<Options, "db" | "clock" | "log">) {
  let left = MAX_RUN_MS / RENEWAL_MS;
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_, reject) => {
    timer = setInterval(() => {
      if (left-- <= 0) {
        reject(new Error("job runs without end"));
        return;
      }
      renewLease(db, clock, job).catch((error: unknown) => {
        log.warn({ err: error, job: job.uid, kind: job.kind }, "lease not renewed");
      });
    }, RENEWAL_MS).unref();
  });
  return { over, stop: () => clearInterval(timer) };
}

const RENEWAL_MS = LEASE_MS / 3;

/**
 * Logs the first failure in full and later ones in one line. `JobWaiting` is already logged. Of an outage of the
 * database the log makes one line itself.
 */
function logFailure(log: Log, { uid: job, kind, attempts }: LeasedJob, error: unknown) {
  if (error instanceof JobWaiting) return;
  const words = "job failed, tried again later";
  const isInFull = attempts === 1 || isErrorOfUnavailableDatabase(error);
  if (isInFull) log.error({ err: error, job, kind }, words);
  else log.warn({ job, kind, attempts, reason: String(error) }, words);
}
