import cluster from "node:cluster";
import { setTimeout as pause } from "node:timers/promises";
import { AggregatorRegistry, Registry } from "prom-client";
import { showSilentWorkers, type Values } from "./metrics";

/** The main process asks for the values of a worker, which sends them. */
type Asked = { metricsWanted: number };
type Sent = { metricsOf: number; values: Values };

const isAsked = (message: unknown): message is Asked =>
  typeof message === "object" && message !== null && "metricsWanted" in message;
const isSent = (message: unknown): message is Sent =>
  typeof message === "object" && message !== null && "metricsOf" in message;

/** A worker that has not answered by then hangs, or is starting. */
const PATIENCE_MS = 2_000;

/** In a worker: sends its values when the main process asks. */
export function sendToMain(readValues: () => Promise<Values>) {
  process.on("message", (message) => {
    if (!isAsked(message)) return;
    const { metricsWanted: metricsOf } = message;
    const send = (values: Values) => process.send?.({ metricsOf, values } satisfies Sent);
    // Without an answer the main process takes the worker for one that hangs.
    void readValues().then(send, () => undefined);
  });
}

/**
 * In the main process: the sums of all workers. What a worker had counted stays in the sums when it ends or hangs:
 * a sum that falls and rises again would look to Prometheus like a thousand events at once.
 */
export function metricsOfWorkers(): () => Promise<string> {
  /** The newest values of each worker that lives. */
  const known = new Map<number, Values>();
  /** Counts of workers that have ended. */
  const ended: Values[] = [];
  let round = 0;
  let missing = new Map<number, () => void>();
  cluster.on("message", ({ id }, message: unknown) => {
    if (!isSent(message)) return;
    known.set(id, message.values);
    if (message.metricsOf === round) missing.get(id)?.();
  });
  cluster.on("exit", ({ id }) => {
    const last = known.get(id);
    known.delete(id);
    if (last) ended.push(countedIn(last));
    missing.get(id)?.();
    missing.delete(id);
  });
  return async () => {
    const wanted = ++round;
    missing = new Map();
    const workers = Object.values(cluster.workers ?? {}).flatMap((worker) => worker ?? []);
    const answers = workers.map(
      (worker) =>
        new Promise<void>((resolve) => {
          missing.set(worker.id, () => {
            missing.delete(worker.id);
            resolve();
          });
          if (worker.isConnected()) worker.send({ metricsWanted: wanted } satisfies Asked);
        }),
    );
    await Promise.race([Promise.all(answers), pause(PATIENCE_MS, undefined, { ref: false })]);
    const silent = missing;
    const living = [...known].map(([id, values]) => (silent.has(id) ? countedIn(values) : values));
    const before = await joined(ended.splice(0));
    ended.push(before);
    const main = await ownValues(silent.size);
    return AggregatorRegistry.aggregate([...living, before, main]).metrics();
  };
}

/** The values that only grow. The others describe a moment that is over. */
const countedIn = (values: Values) => values.filter(({ type }) => COUNTED.includes(String(type)));
const COUNTED = ["counter", "histogram"];

const joined = async (parts: Values[]): Promise<Values> =>
  AggregatorRegistry.aggregate(parts).getMetricsAsJSON();

/** Values of the main process, which serves nothing itself: only the number of silent workers. */
async function ownValues(silent: number): Promise<Values> {
  const register = new Registry();
  showSilentWorkers(register, silent);
  return register.getMetricsAsJSON();
}
