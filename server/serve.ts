import cluster from "node:cluster";
import { setMaxListeners } from "node:events";
import type { Server } from "node:http";
import type { Config } from "../app/config.server";
import { embeddedPlatform } from "./embedded";
import { loadBuild } from "./host/build";
import { checkDataDir } from "./host/data-dir";
import { warnOfUnknownFormula } from "./host/health";
import { listen, urlOf } from "./host/listen";
import { hostListener } from "./host/listener";
import { pages } from "./host/http/pages";
import { log } from "./log";
import type { Platform } from "./platform";
import { stopOnSignals } from "./stop";
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
  checkDataDir(settings.dataDir);
  const { build, files } = await loadBuild();
  const stopping = new AbortController();
  const { signal } = stopping;
  const closing = new AbortController();
  // Each open stream listens to it.
  setMaxListeners(0, closing.signal);
  const servers: Server[] = [];
  let platform: Platform | undefined;
  let hasBegun = false;
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
  });
  const begin = async () => {
    if (!settings.apiUrl) platform = await embeddedPlatform();
    hasBegun = true;
  };
  const isFirst = (cluster.worker?.id ?? FIRST) === FIRST;
  stopOnSignals({
    drainDelaySeconds: settings.drainDelaySeconds,
    servers,
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
    if (settings.apiUrl) void warnOfUnknownFormula(settings, log());
    await begin();
  }
  if (signal.aborted) return null;
  const url = urlOf(server, settings.host);
  log().info({ url, pid: process.pid }, "ready");
  return url;
}

/** Workers are counted from one, and none that replaces another gets its number. */
const FIRST = 1;
