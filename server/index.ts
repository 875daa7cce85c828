import cluster from "node:cluster";
import { config, ConfigError } from "../app/config.server";
import { keepHeapSmall } from "./heap";
import { serve } from "./serve";
import { runWorkers, serveMetricsOfWorkers, sendReady } from "./workers";

keepHeapSmall();

try {
  const settings = config();
  const { siteTitle } = settings;
  const isMain = cluster.isPrimary;
  const runsWorkers = isMain && settings.workers > 1;
  if (runsWorkers) await serveMetricsOfWorkers(settings);
  const url = runsWorkers ? await runWorkers(settings) : await serve(settings);
  if (!isMain) sendReady(url);
  else if (url) process.stdout.write(`${siteTitle} is ready: ${url}\n`);
} catch (error) {
  process.stderr.write(`${reasonOf(error)}\n`);
  process.exit(1);
}

/** One line; one line per variable when several are wrong. */
function reasonOf(error: unknown) {
  const message = error instanceof Error ? error.message : String(error);
  return error instanceof ConfigError ? message : message.replace(/\s+/g, " ");
}
