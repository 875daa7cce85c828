import cluster from "node:cluster";
import { setMaxListeners } from "node:events";
import type { Server } from "node:http";
import type { Config } from "../app/config.server";
import { loadBuild } from "./host/build";
import { checkDataDir } from "./host/data-dir";
import { refuseLoop, warnOfApi } from "./host/health";
import { listen, urlOf } from "./host/listen";
import { hostListener } from "./host/listener";
import { pages } from "./host/http/pages";
import { log } from "./log";
import type { Platform } from "./platform";
import { stopOnSignals } from "./stop";
import { setTraces, type Traces } from "./traces";
import { warnOfSettings } from "./warnings";
import { workerPlace } from "./worker-place";

/**
 * Serves the site in this process, until a signal. The port is taken before the database is touched: a start
 * that cannot have it must not bring the database to a release that will not run. Until the platform is open,
 * visitors are asked to come back. A worker that joins others opens the platform first: the port is theirs
 * already, and they answer meanwhile.
 * @returns the address of the site, once it is served; null after a signal
 */
export async function serve(settings: Config): Promise<string | null> {
  if (settings.needsDataDir) checkDataDir(settings.dataDir);
  const { build, files } = await loadBuild();
  // A site with an external API never loads the platform, nor the native code of its database.
  const embedded = settings.apiUrl ? null : await import("./embedded");
  const stopping = new AbortController();
  const { signal } = stopping;
  const closing = new AbortController();
  // Each open stream listens to it.
  setMaxListeners(0, closing.signal);
  const servers: Server[] = [];
  let platform: Platform | undefined;
  let hasBegun = false;
  const metrics = await openFigures(settings, () => platform);
  const traces = await openTracesFor(settings);
  const listener = hostListener({
    config: settings,
    log: log(),
    files,
    build,
    pages: pages(build, closing.signal, workerPlace()),
    phase: () => (signal.aborted ? "stopping" : hasBegun ? "serving" : "starting"),
    revision: () => platform?.contentRevision() ?? "",
    images: () => platform?.images,
    people: () => platform,
    metrics,
    traces,
  });
  const begin = async () => {
    platform = await embedded?.embeddedPlatform();
    hasBegun = true;
  };
  const isFirst = (cluster.worker?.id ?? FIRST) === FIRST;
  stopOnSignals({
    drainDelaySeconds: settings.drainDelaySeconds,
    servers,
    embedded,
    traces,
    platform: () => platform,
    hasBegun: () => hasBegun,
    stopping,
    closing,
  });
  process.on("uncaughtException", (err) => {
    log().fatal({ err }, "uncaught exception");
    process.exit(1);
  });
  if (!isFirst) await begin();
  if (signal.aborted) return null;
  const server = await listen(listener, settings, log());
  servers.push(server);
  if (isFirst) {
    warnOfSettings(settings);
    if (settings.apiUrl) {
      await refuseLoop(settings);
      void warnOfApi(settings, log());
    }
    await begin();
  }
  if (signal.aborted) return null;
  const url = urlOf(server, settings.host);
  log().info({ url, pid: process.pid }, "ready");
  return url;
}

/**
 * Begins to count, and serves `/metrics` or, in a worker, sends what it says to the main process. Undefined when
 * nobody wants it: then the library is not loaded.
 */
async function openFigures(settings: Config, platform: () => Platform | undefined) {
  const { metricsPort, metricsHost } = settings;
  if (metricsPort === undefined) return undefined;
  const { openMetrics } = await import("./host/metrics/metrics");
  const metrics = openMetrics(platform);
  if (cluster.isWorker) {
    const { sendToMain } = await import("./host/metrics/of-workers");
    sendToMain(metrics.values);
  } else {
    const { listenForMetrics } = await import("./host/metrics/listen");
    await listenForMetrics(metrics.text, { metricsPort, metricsHost, log: log() });
  }
  return metrics;
}

/** Undefined when no collector is named: then the SDK is not loaded. */
async function openTracesFor({ sendsTraces }: Config): Promise<Traces | undefined> {
  if (!sendsTraces) return undefined;
  const { openTraces } = await import("./traces/open");
  const traces = openTraces(log());
  setTraces(traces);
  return traces;
}

/** Workers are counted from one, and none that replaces another gets its number. */
const FIRST = 1;
