import { config, ConfigError, type Config } from "../app/config.server";
import { closeEmbeddedPlatform, embeddedPlatform, stopEmbeddedWork } from "./embedded";
import { loadBuild } from "./host/build";
import { checkDataDir } from "./host/data-dir";
import { drain } from "./host/drain";
import { warnOfUnknownFormula } from "./host/health";
import { listen, urlOf } from "./host/listen";
import { hostListener } from "./host/listener";
import { pages } from "./host/http/pages";
import { log } from "./log";
import type { Platform } from "./platform";

/** Longer than `drain` waits for requests, shorter than `stop_grace_period` in compose.yaml. */
const STOP_MS = 13_000;

const stopping = new AbortController();

try {
  await start();
} catch (error) {
  process.stderr.write(`${reasonOf(error)}\n`);
  process.exit(1);
}

/** One line; one line per variable when several are wrong. */
function reasonOf(error: unknown) {
  const message = error instanceof Error ? error.message : String(error);
  return error instanceof ConfigError ? message : message.replace(/\s+/g, " ");
}

/**
 * Starts the host. The port is taken before the database is touched: a start that cannot have it must
 * not bring the database to a release that will not run. Until the platform is open, visitors are asked
 * to come back.
 */
async function start() {
  const settings = config();
  checkDataDir(settings.dataDir);
  const { build, files } = await loadBuild();
  const { signal } = stopping;
  let hasBegun = false;
  const phase = () => (signal.aborted ? "stopping" : hasBegun ? "serving" : "starting");
  let revision = () => "";
  let people: Platform | undefined;
  const listener = hostListener({
    config: settings,
    log: log(),
    files,
    build,
    pages: pages(build, signal),
    phase,
    revision: () => revision(),
    people: () => people,
  });
  const server = await listen(listener, settings, log());
  stopOnSignals(() => drain(server));
  warnOfShortSecrets(settings.secrets);
  warnOfUnknownAddress(settings);
  warnOfWorkers(settings);
  warnOfNoEffect(settings);
  if (settings.apiUrl) void warnOfUnknownFormula(settings, log());
  else {
    people = await embeddedPlatform();
    revision = people.contentRevision;
  }
  if (signal.aborted) return;
  hasBegun = true;
  const url = urlOf(server, settings.host);
  process.stdout.write(`${settings.siteTitle} is ready: ${url}\n`);
  log().info({ url }, "ready");
}

function stopOnSignals(drained: () => Promise<void>) {
  const stop = async (signal: string) => {
    if (stopping.signal.aborted) return;
    stopping.abort();
    log().info({ signal }, "stopping");
    const timer = setTimeout(() => {
      log().warn({}, "stopped before all work had ended; it is done again after the next start");
      process.exit(0);
    }, STOP_MS);
    await Promise.all([drained(), stopEmbeddedWork()]);
    await closeEmbeddedPlatform();
    clearTimeout(timer);
    log().info({}, "stopped");
    process.exit(0);
  };
  process.on("SIGTERM", (signal) => void stop(signal));
  process.on("SIGINT", (signal) => void stop(signal));
  process.on("uncaughtException", (err) => {
    log().fatal({ err }, "uncaught exception");
    process.exit(1);
  });
}

/**
 * Warns when the site's address is not set. The `Host` of a request is chosen by its sender, so a
 * link with a secret must not lead there.
 */
function warnOfUnknownAddress({ mailUrl, siteUrl, apiUrl }: Config) {
  if (!mailUrl || siteUrl || apiUrl) return;
  log().warn(
    {},
    "SITE_URL is not set: mails carry secrets only to addresses confirmed by npm run site",
  );
}

function warnOfWorkers({ workers }: Config) {
  if (workers === 1) return;
  log().warn({ workers }, "WEB_CONCURRENCY has no effect yet: one process serves the site");
}

function warnOfNoEffect({ withoutEffect }: Config) {
  if (withoutEffect.length === 0) return;
  log().warn({}, `${withoutEffect.join(", ")}: no effect yet, the site loads no such script`);
}

function warnOfShortSecrets(secrets: readonly string[]) {
  if (secrets.every((secret) => secret.length >= 32)) return;
  log().warn({}, "SESSION_SECRET is short: give 32 random characters or more");
}
