import type { Clock } from "../ports/clock";
import type { Log } from "../ports/log";
import type { Database } from "../database/tables";
import { claim, finish, postpone, type ClaimedJob } from "./queue";

/** Does one kind of work; may run twice, so its effect must be idempotent. */
export type Worker = (payload: unknown) => Promise<void>;
export type Workers = Record<string, Worker>;

type Options = { db: Database; clock: Clock; log: Log; workers: Workers };

const IDLE_MS = 500;

/** Does all that is due now, in order; returns how many jobs ran. */
export async function runDueJobs({ db, clock, log, workers }: Options): Promise<number> {
  for (let count = 0; ; count++) {
    const job = await claim(db, clock);
    if (!job) return count;
    await run(job, { db, clock, log, workers });
  }
}

/** Does all that is due now and, where the clock is on its way ahead, all it meets there. */
export async function runThrough(options: Options, isStopped = () => false): Promise<number> {
  let count = await runDueJobs(options);
  while (!isStopped() && (await options.clock.catchUp?.())) count += await runDueJobs(options);
  return count;
}

/** Runs due jobs until stopped; `stop` waits for the one under way. */
export function startJobs(options: Options) {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let current = Promise.resolve();
  const turn = async () => {
    try {
      await runThrough(options, () => stopped);
    } catch (error) {
      options.log.error({ err: error }, "jobs failed");
    }
    if (!stopped) timer = setTimeout(next, IDLE_MS).unref();
  };
  const next = () => {
    current = turn();
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

async function run(job: ClaimedJob, { db, clock, log, workers }: Options) {
  const work = workers[job.kind];
  try {
    if (!work) throw new Error(`No worker for ${job.kind}`);
    await work(job.payload);
    await finish(db, clock, job.uid);
  } catch (error) {
    log.error({ err: error, job: job.uid, kind: job.kind }, "job failed, tried again later");
    await postpone(db, clock, job, error instanceof Error ? error.message : String(error));
  }
}
