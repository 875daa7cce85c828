import { request, type IncomingHttpHeaders, type RequestOptions, type Server } from "node:http";
import type { ServerBuild } from "@remix-run/node";
import { readConfig } from "../../app/config.server";
import type { Phase } from "../../server/host/health";
import type { ForMany } from "../../server/host/http/pages";
import { listen } from "../../server/host/listen";
import type { Metrics } from "../../server/host/metrics/metrics";
import { hostListener } from "../../server/host/listener";
import type { People } from "../../server/host/page-cache/viewers";
import type { PublicFile } from "../../server/host/public-files";
import type { Images } from "../../server/platform/content/images/find";
import { createLog } from "../../server/log";
import type { Traces } from "../../server/traces";

type Parts = {
  env?: Record<string, string>;
  files?: Map<string, PublicFile>;
  /** `forWhom` for a page that many get. */
  pages?: (
    request: Request,
    clientAddress: string,
    forWhom?: ForMany,
  ) => Response | Promise<Response>;
  phase?: Phase;
  routes?: ServerBuild["routes"];
  revision?: () => string;
  images?: Images;
  people?: People;
  metrics?: Metrics;
  traces?: Traces;
};

export type TestHost = { port: number; server: Server; log: string[] };

/** Starts the host on a free port, in front of the test's own pages. */
export async function openHost(parts: Parts = {}): Promise<TestHost> {
  const log: string[] = [];
  const { pages = () => new Response("page") } = parts;
  const logger = createLog("debug", { write: (line) => void log.push(line) });
  const config = readConfig(parts.env ?? {});
  const listener = hostListener({
    config,
    log: logger,
    files: parts.files ?? new Map<string, PublicFile>(),
    build: { routes: parts.routes ?? {} },
    pages: {
      answer: async (context) => pages(context.req.raw, context.get("clientAddress")),
      answerPlain: async (request, forWhom) => pages(request, "", forWhom),
    },
    phase: () => parts.phase ?? "serving",
    revision: parts.revision ?? (() => ""),
    images: () => parts.images,
    people: () => parts.people,
    metrics: parts.metrics,
    traces: parts.traces,
  });
  const { trustedProxies } = config;
  const address = { port: 0, host: "127.0.0.1", trustedProxies };
  const server = await listen(listener, address, logger);
  const bound = server.address();
  if (!bound || typeof bound === "string") throw new Error("The host has no port");
  return { port: bound.port, server, log };
}

export type Answer = { status: number; headers: IncomingHttpHeaders; body: Buffer };

/** Sends one request byte for byte. `fetch` would change headers and encodings. */
export function send(
  host: Pick<TestHost, "port">,
  path: string,
  options: RequestOptions & { body?: Iterable<string | Buffer> } = {},
): Promise<Answer> {
  const { body = [], ...rest } = options;
  return new Promise((resolve, reject) => {
    const call = request({ host: "127.0.0.1", port: host.port, path, ...rest }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk)).on("error", reject);
      response.on("end", () => {
        const { statusCode = 0, headers } = response;
        resolve({ status: statusCode, headers, body: Buffer.concat(chunks) });
      });
    });
    call.on("error", reject);
    for (const chunk of body) call.write(chunk);
    call.end();
  });
}
