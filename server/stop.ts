import cluster from "node:cluster";
import type { Server } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import type * as embeddedModule from "./embedded";
import { drain } from "./host/drain";
import { log } from "./log";
import type { Platform } from "./platform";
import type { Traces } from "./traces";

/** Time for requests and jobs under way, once nobody else is let in. */
const DRAIN_MS = 10_000;
/** Time for giving leases back, and again for closing the database. The database may not answer. */
const CLOSE_MS = 3_000;
/** Once a job is given back another process may begin it: this one must end before its own run goes on. */
const GIVEN_BACK_MS = 100;

/** A terminal sends its signal to npm and to the site, and npm passes it on: that is one signal. */
const SAME_SIGNAL_MS = 1_000;

/** A worker that has not ended so long after its last deadline hangs. */
const HANG_MS = 2_000;

/** The longest stop, workers that hang included; below `stop_grace_period` in compose.yaml. */
export const longestStopMs = (drainDelaySeconds: number) =>
  drainDelaySeconds * 1_000 + DRAIN_MS + 2 * CLOSE_MS + HANG_MS;

/** Message of the main process to its workers: all of them stop, because of this signal. */
type StopMessage = { stop: NodeJS.Signals };

export const stopMessage = (signal: NodeJS.Signals): StopMessage => ({ stop: signal });

const isStopMessage = (message: unknown): message is StopMessage =>
  typeof message === "object" && message !== null && "stop" in message;

/** Calls `begin` at the first signal to stop, and `endNow` at a later one. */
export function onStopSignals(
  begin: (signal: NodeJS.Signals) => void,
  endNow: (signal: NodeJS.Signals) => void,
) {
  let begunAt: number | undefined;
  const receive = (signal: NodeJS.Signals) => {
    const isFirst = begunAt === undefined;
    begunAt ??= performance.now();
    if (isFirst) begin(signal);
    else if (performance.now() - begunAt > SAME_SIGNAL_MS) endNow(signal);
  };
  process.on("SIGTERM", receive).on("SIGINT", receive);
}

type Parts = {
  drainDelaySeconds: number;
  servers: readonly Server[];
  /** Null with an external API, which leaves the platform unloaded. */
  embedded: typeof embeddedModule | null;
  /** Undefined when no traces are sent. */
  traces: Traces | undefined;
  platform: () => Platform | undefined;
  /** False before visitors are let in. */
  hasBegun: () => boolean;
  /** Aborted at the signal: `/readyz` answers 503 from then on. */
  stopping: AbortController;
  /** Aborted once nobody else is let in: streams end. */
  closing: AbortController;
};

/** Ends this process in order after a signal (docs/decisions/0058-stopping.md). */
export function stopOnSignals(parts: Parts) {
  const stop = (signal: NodeJS.Signals, delaySeconds: number) => {
    if (parts.stopping.signal.aborted) return;
    void endInOrder(parts, signal, delaySeconds).then((code) => process.exit(code));
  };
  // Only SIGTERM waits for a proxy to send visitors elsewhere. A process in a terminal has none, and whoever pressed
  // Ctrl+C is waiting.
  const stopLater = (signal: NodeJS.Signals) =>
    stop(signal, signal === "SIGTERM" ? parts.drainDelaySeconds : 0);
  if (!cluster.isWorker) {
    onStopSignals(stopLater, (signal) => {
      log().warn({ signal }, "stopped at once by a second signal");
      process.exit(1);
    });
    return;
  }
  // A worker that is stopped alone leaves its visitors to the others, which listen at the same port, so it does not
  // wait. A terminal signals workers, too: a second signal is left to the main process, which kills them.
  process.on("SIGTERM", (signal) => stop(signal, 0)).on("SIGINT", (signal) => stop(signal, 0));
  process.on("message", (message) => isStopMessage(message) && stopLater(message.stop));
}

/** @returns the exit code: 0 when everything has ended, or was given back */
async function endInOrder(
  { servers, embedded, traces, platform, hasBegun, stopping, closing }: Parts,
  signal: NodeJS.Signals,
  delaySeconds: number,
): Promise<number> {
  stopping.abort();
  log().info({ signal }, "stopping");
  // Other processes take the jobs from now on.
  const stoppedWork = succeeds(embedded?.stopEmbeddedWork());
  if (delaySeconds > 0 && hasBegun()) await pause(delaySeconds * 1_000);
  closing.abort();
  const [cutOff, hasWorkEnded] = await Promise.all([
    Promise.all(servers.map((server) => drain(server, DRAIN_MS))),
    endsWithin(DRAIN_MS, stoppedWork),
  ]);
  const requests = cutOff.flat();
  // Beside what follows, which takes no longer because of it.
  const sentTraces = traces?.stop() ?? Promise.resolve(true);
  const jobs = hasWorkEnded ? [] : (platform()?.workUnderWay() ?? []);
  const isGivenBack =
    hasWorkEnded || (await endsWithin(CLOSE_MS, succeeds(platform()?.giveBackWork())));
  const hasGivenBack = isGivenBack && jobs.length > 0;
  if (hasGivenBack) log().warn({ jobs }, "jobs given back: another process begins them again");
  // If the database did not answer a moment ago, closing it would only wait again.
  const closeMs = hasGivenBack ? GIVEN_BACK_MS : CLOSE_MS;
  const [isClosed, areTracesSent] = await Promise.all([
    isGivenBack && endsWithin(closeMs, succeeds(embedded?.closeEmbeddedPlatform())),
    endsWithin(closeMs, sentTraces),
  ]);
  if (!areTracesSent) log().warn({}, "the last traces are not sent");
  const unfinished = {
    ...(requests.length > 0 && { requests }),
    ...(!isGivenBack && jobs.length > 0 && { jobs }),
    ...(!isClosed && !hasGivenBack && { database: "not closed" }),
  };
  const hasEnded = Object.keys(unfinished).length === 0;
  if (hasEnded) log().info({}, "stopped");
  else log().warn(unfinished, "stopped before all had ended; jobs begin again after their lease");
  return hasEnded ? 0 : 1;
}

/** Whether the work succeeds. A failure is logged at once: it must not wait for whoever asks. */
const succeeds = async (work: Promise<unknown> | undefined): Promise<boolean> => {
  try {
    await work;
    return true;
  } catch (err) {
    log().error({ err }, "a step of the stop failed");
    return false;
  }
};

/** Whether the work has succeeded by then. */
const endsWithin = (ms: number, work: Promise<boolean>): Promise<boolean> =>
  Promise.race([work, pause(ms, false)]);
