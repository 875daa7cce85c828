import cluster, { type Worker } from "node:cluster";
import { fileURLToPath } from "node:url";
import type { Config } from "../app/config.server";
import { shareHashes } from "./hash-turns";
import { log } from "./log";
import { longestStopMs, onStopSignals, stopMessage } from "./stop";
import { WORKER_PLACE } from "./worker-place";

/** A worker that ends sooner than this after its start is replaced later each time. */
const SOUND_MS = 60_000;
const FIRST_DELAY_MS = 1_000;
const MAX_DELAY_MS = 30_000;

/** Message of a worker to the main process: the worker serves the site at this address. */
type Ready = { ready: string };

const isReady = (message: unknown): message is Ready =>
  typeof message === "object" && message !== null && "ready" in message;

/** Tells the main process that this worker serves the site. */
export function sendReady(url: string | null) {
  if (url !== null) process.send?.({ ready: url } satisfies Ready);
}

/** Serves the sums of all workers as `/metrics`, if anybody wants them. */
export async function serveMetricsOfWorkers({ metricsPort, metricsHost }: Config) {
  if (metricsPort === undefined) return;
  const [{ listenForMetrics }, { metricsOfWorkers }] = await Promise.all([
    import("./host/metrics/listen"),
    import("./host/metrics/of-workers"),
  ]);
  await listenForMetrics(metricsOfWorkers(), { metricsPort, metricsHost, log: log() });
}

/**
 * Runs so many workers, each of which serves the site, and replaces those that end (decision 0042). The first
 * brings the database to this release; the others start when it is ready. All are told of a signal to stop, and this
 * process ends when they have.
 * @returns the address of the site, once all serve it; null after a signal
 */
export async function runWorkers({
  workers: count,
  drainDelaySeconds,
}: Pick<Config, "workers" | "drainDelaySeconds">): Promise<string | null> {
  // Each worker takes connections itself. If this process handed them out, connections of a worker that is killed
  // would stay open without an answer.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  // Workers run this file. The one that the process began with would check the build again.
  cluster.setupPrimary({ exec: fileURLToPath(import.meta.url) });
  let isStopping = false;
  let failures = 0;
  const workers = () => Object.values(cluster.workers ?? {}).flatMap((worker) => worker ?? []);
  const serving = new Set<Worker>();
  let exitCode = 0;
  const endWhenAllHave = () => void (workers().length === 0 && process.exit(exitCode));
  const killAll = () => {
    for (const worker of workers()) worker.process.kill("SIGKILL");
  };
  const stop = (signal: NodeJS.Signals) => {
    isStopping = true;
    for (const worker of workers()) {
      // A worker that still starts may not listen to messages yet. The callback takes the error of a worker that
      // just ended.
      if (serving.has(worker)) worker.send(stopMessage(signal), () => {});
      else worker.process.kill(signal);
    }
    endWhenAllHave();
    setTimeout(() => {
      const pids = workers().map((worker) => worker.process.pid);
      log().error({ pids }, "workers that did not end are killed");
      killAll();
    }, longestStopMs(drainDelaySeconds));
  };
  onStopSignals(stop, (signal) => {
    log().warn({ signal }, "stopped at once by a second signal");
    killAll();
    process.exit(1);
  });
  shareHashes();

  /** @returns the address that the worker serves; null when it ended first */
  const start = async (place: number, onEnd: (code: number | null) => void) => {
    const worker = cluster.fork({ [WORKER_PLACE]: place });
    const { pid } = worker.process;
    const startedAt = performance.now();
    const url = new Promise<string | null>((resolve) => {
      worker.on("message", (message: unknown) => {
        if (!isReady(message)) return;
        serving.add(worker);
        resolve(message.ready);
      });
      worker.once("exit", () => resolve(null));
    });
    worker.once("exit", (code: number | null, signal: string | null) => {
      serving.delete(worker);
      if (isStopping) {
        exitCode = Math.max(exitCode, code ?? Number(signal === "SIGKILL"));
        return endWhenAllHave();
      }
      if (performance.now() - startedAt > SOUND_MS) failures = 0;
      log().error({ endedWorker: worker.id, pid, code, signal }, "a worker ended");
      onEnd(code);
    });
    return url;
  };
  const replace = (place: number) => {
    const delay = failures === 0 ? 0 : Math.min(FIRST_DELAY_MS * 2 ** failures, MAX_DELAY_MS);
    failures++;
    setTimeout(() => !isStopping && void start(place, () => replace(place)), delay);
  };

  let hasBegun = false;
  // A start that is refused ends with the reason that its worker has given.
  const url = await start(0, (code) => (hasBegun ? replace(0) : process.exit(code ?? 1)));
  hasBegun = true;
  const others = Array.from({ length: count - 1 }, (_, index) =>
    start(index + 1, () => replace(index + 1)),
  );
  await Promise.all(others);
  return isStopping ? null : url;
}
