import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { Registry } from "prom-client";
import type { Logger } from "../../log";
import { errorCode, StartFault } from "../fault";
import { urlOf } from "../listen";

type Options = { metricsPort: number; metricsHost: string; log: Logger };

/** Some scrapers at once. */
const MAX_CONNECTIONS = 20;
const TIMEOUT_MS = 10_000;

/**
 * Serves `/metrics` and nothing else, on a port of its own: figures are for the operator alone. The listener keeps no
 * process alive, and ends with it, so that a site that stops is seen until its end.
 * @throws StartFault when the address cannot be had
 */
export async function listenForMetrics(read: () => Promise<string>, options: Options) {
  const { log } = options;
  let reading: Promise<string> | undefined;
  const forget = () => void (reading = undefined);
  /** Requests that come while the values are read share one reading. */
  const readOnce = () => (reading ??= read().finally(forget));
  const server = createServer((request, response) => {
    answer(request, response, readOnce).catch((error: unknown) => {
      log.warn({ err: error }, "metrics cannot be read");
      response.writeHead(503).end();
    });
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.requestTimeout = TIMEOUT_MS;
  server.setTimeout(TIMEOUT_MS);
  const { metricsPort: port, metricsHost: host } = options;
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(new StartFault(faultOf(error, options))));
    server.listen(port, host, resolve);
  });
  server.unref();
  log.info({ url: `${urlOf(server, host)}${PATH}` }, "metrics are served");
  return server;
}

const PATH = "/metrics";

async function answer(
  { method = "", url = "" }: IncomingMessage,
  response: ServerResponse,
  read: () => Promise<string>,
) {
  if (url.split("?", 1)[0] !== PATH) return response.writeHead(404).end();
  if (method !== "GET" && method !== "HEAD") {
    return response.writeHead(405, { allow: "GET, HEAD" }).end();
  }
  const text = await read();
  const type = Registry.PROMETHEUS_CONTENT_TYPE;
  return response.writeHead(200, { "content-type": type, "cache-control": "no-store" }).end(text);
}

function faultOf(error: Error, { metricsPort, metricsHost }: Options) {
  const code = errorCode(error);
  if (code === "EADDRINUSE")
    return `METRICS_PORT: ${metricsPort} is already in use; give a free port`;
  if (code === "EACCES") {
    return `METRICS_PORT: ${metricsPort} is reserved for the system; give a port above 1023`;
  }
  return `METRICS_HOST: cannot listen on ${metricsHost} (${code}); give an address of this machine`;
}
