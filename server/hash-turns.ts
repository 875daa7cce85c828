import cluster, { type Worker } from "node:cluster";
import { availableParallelism } from "node:os";
import { setTimeout as wait } from "node:timers/promises";

/**
 * Hashes that run on this machine at the same time: one core stays free for pages, and one of libuv's four
 * threads for compression, files and host names (docs/decisions/0020).
 */
export const MAX_HASHES = Math.min(3, Math.max(1, availableParallelism() - 1));

/** A worker wants to hash, may begin, and has ended. */
type Turn = { hash: "wanted" | "begin" | "over" };

const isTurn = (message: unknown): message is Turn =>
  typeof message === "object" && message !== null && "hash" in message;

/** Lets workers hash in the order in which they asked, `max` at a time. */
export function hashTurns<W>(max: number, begin: (worker: W) => void) {
  let waiting: W[] = [];
  let running: W[] = [];
  const beginNext = () => {
    while (running.length < max) {
      const worker = waiting.shift();
      if (worker === undefined) return;
      running.push(worker);
      begin(worker);
    }
  };
  return {
    wanted(worker: W) {
      waiting.push(worker);
      beginNext();
    },
    over(worker: W) {
      const at = running.indexOf(worker);
      if (at !== -1) running.splice(at, 1);
      beginNext();
    },
    /** The worker has ended, whatever it was doing. */
    ended(worker: W) {
      waiting = waiting.filter((one) => one !== worker);
      running = running.filter((one) => one !== worker);
      beginNext();
    },
  };
}

/** In the main process: all workers together hash no more than one process would. */
export function shareHashes() {
  // A worker that has just ended gets no message, and gives no turn back.
  const begin = (worker: Worker) =>
    void worker.send({ hash: "begin" } satisfies Turn, (error) => error && turns.over(worker));
  const turns = hashTurns(MAX_HASHES, begin);
  cluster.on("message", (worker, message: unknown) => {
    if (!isTurn(message)) return;
    if (message.hash === "wanted") turns.wanted(worker);
    if (message.hash === "over") turns.over(worker);
  });
  cluster.on("exit", turns.ended);
}

const waiting: (() => void)[] = [];

/**
 * A hash takes 50 ms. Whoever waits so long waits for a worker that hangs. A new password waits twice, here and
 * in the queue before (`passwords.ts`): in all less than the 20 s after which the site gives up.
 */
const TURN_TIMEOUT_MS = 1_500;

/** Hashes when it is the turn of this worker. A process without others need not wait. */
export async function hashInTurn<T>(hash: () => Promise<T>): Promise<T> {
  if (!cluster.isWorker) return hash();
  const turn = new Promise<void>((resolve) => {
    waiting.push(resolve);
    sendToMain("wanted");
  });
  await Promise.race([turn, wait(TURN_TIMEOUT_MS, undefined, { ref: false })]);
  try {
    return await hash();
  } finally {
    // A turn that comes after the timeout is given back as well.
    void turn.then(() => sendToMain("over"));
  }
}

const sendToMain = (hash: Turn["hash"]) => process.send?.({ hash } satisfies Turn);

if (cluster.isWorker) process.on("message", (message) => isTurn(message) && waiting.shift()?.());
