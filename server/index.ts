import { getRequestListener } from "@hono/node-server";
import { config, ConfigError } from "../app/config.server";
import { closeEmbeddedPlatform, embeddedPlatform } from "./embedded";
import { hostApp } from "./host/app";
import { loadBuild } from "./host/build";
import { checkDataDir } from "./host/data-dir";
import { drain } from "./host/drain";
import { listen, urlOf } from "./host/listen";
import { pages } from "./host/pages";
import { checked } from "./host/request-line";
import { log } from "./log";

const stopping = new AbortController();

try {
  await start();
} catch (error) {
  process.stderr.write(`${reasonOf(error)}\n`);
  process.exit(1);
}

/** One line; of several faulty variables one line each. */
function reasonOf(error: unknown) {
  const message = error instanceof Error ? error.message : String(error);
  return error instanceof ConfigError ? message : message.replace(/\s+/g, " ");
}

/** Checks first what people get wrong, in the order in which they can mend it. */
async function start() {
  const settings = config();
  checkDataDir(settings.dataDir);
  const { secrets } = settings;
  if (!settings.apiUrl) await embeddedPlatform();
  const { build, files } = await loadBuild();
  const { signal } = stopping;
  const isDraining = () => signal.aborted;
  const parts = { log: log(), files, pages: pages(build, signal), isDraining };
  const app = hostApp({ config: settings, ...parts });
  const server = await listen(checked(getRequestListener(app.fetch), log()), settings);
  warnOfShortSecrets(secrets);
  stopOnSignals(() => drain(server));
  const url = urlOf(server, settings.host);
  process.stdout.write(`${settings.siteTitle} is ready: ${url}\n`);
  log().info({ url }, "ready");
}

function stopOnSignals(drained: () => Promise<void>) {
  const stop = async (signal: string) => {
    if (stopping.signal.aborted) return;
    stopping.abort();
    log().info({ signal }, "stopping");
    await drained();
    await closeEmbeddedPlatform();
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

function warnOfShortSecrets(secrets: readonly string[]) {
  if (secrets.every((secret) => secret.length >= 32)) return;
  log().warn({}, "SESSION_SECRET is short: give 32 random characters or more");
}
