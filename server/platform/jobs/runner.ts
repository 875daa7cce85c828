import type { Clock } from "../ports/clock";
import type { Log } from "../ports/log";
import type { Database } from "../database/tables";
import { claim, deferTo, finish, postpone, type ClaimedJob } from "./queue";

/** Does one kind of work; may run twice, so its effect must be idempotent. */
export type Worker = (payload: unknown) => Promise<void>;
export type Workers = Record<string, Worker>;

/** Thrown by work that has to wait for something which the log has told already. */
export class Waiting extends Error {
  override name = "Waiting";

  constructor(
    message: string,
    /** Where the work was not even begun: it counts as no attempt, and comes again then. */
    readonly until?: Date,
  ) {
    super(message);
  }
}

type Options = {
  db: Database;
  clock: Clock;
  log: Log;
  /**
   * Each lane does its kinds of work one after the other, beside the other lanes: what waits for a
   * payment provider that hangs keeps no mail back.
   */
  lanes: readonly Workers[];
};

const IDLE_MS = 500;

/** Does all that is due now, of all lanes, in order; returns how many jobs ran. */
export const runDueJobs = (options: Options) => runLane(workersOf(options), options);

/** Does all that is due now and, where the clock is on its way ahead, all it meets there. */
export const runThrough = (options: Options) =>
  runLaneThrough(workersOf(options), options, () => false);

/** Runs due jobs until stopped; `stop` waits for those under way, and begins no other. */
export function startJobs(options: Options) {
  const lanes = options.lanes.map((workers) => startLane(workers, options));
  return {
    async stop() {
      await Promise.all(lanes.map((lane) => lane.stop()));
    },
  };
}

const workersOf = ({ lanes }: Options): Workers =>
  Object.fromEntries(lanes.flatMap((workers) => Object.entries(workers)));

function startLane(workers: Workers, options: Options) {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let current = Promise.resolve();
  const runOnce = async () => {
    try {
      await runLaneThrough(workers, options, () => stopped);
    } catch (error) {
      options.log.error({ err: error }, "jobs failed");
    }
    if (!stopped) timer = setTimeout(next, IDLE_MS).unref();
  };
  const next = () => {
    current = runOnce();
  };
  next();
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await current;
    },
  };
}

async function runLaneThrough(workers: Workers, options: Options, isStopped: () => boolean) {
  let count = await runLane(workers, options, isStopped);
  while (!isStopped() && (await options.clock.catchUp?.())) {
    count += await runLane(workers, options, isStopped);
  }
  return count;
}

async function runLane(workers: Workers, options: Options, isStopped = () => false) {
  const kinds = Object.keys(workers);
  for (let count = 0; ; count++) {
    const job = isStopped() ? null : await claim(options.db, options.clock, kinds);
    if (!job) return count;
    await run(job, workers, options);
  }
}

async function run(job: ClaimedJob, workers: Workers, { db, clock, log }: Options) {
  try {
    await workers[job.kind]?.(job.payload);
    await finish(db, clock, job.uid);
  } catch (error) {
    if (error instanceof Waiting && error.until) return deferTo(db, job, error.until);
    logFailure(log, job, error);
    await postpone(db, clock, job, error instanceof Error ? error.message : String(error));
  }
}

/** The first failure in full; what goes on failing in one line, and without what is told elsewhere. */
function logFailure(log: Log, { uid: job, kind, attempts }: ClaimedJob, error: unknown) {
  if (error instanceof Waiting) return;
  const words = "job failed, tried again later";
  if (attempts === 1) log.error({ err: error, job, kind }, words);
  else log.warn({ job, kind, attempts, reason: String(error) }, words);
}
