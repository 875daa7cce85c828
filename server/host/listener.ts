import type { RequestListener } from "node:http";
import { getRequestListener } from "@hono/node-server";
import type { ServerBuild } from "@remix-run/node";
import type { Config } from "../../app/config.server";
import { subjectOf } from "../../app/contract/client-address";
import type { Logger } from "../log";
import type { Images } from "../platform/content/images/find";
import { hostApp } from "./app";
import { originReader } from "./forwarding";
import { front } from "./front";
import type { Phase } from "./health";
import { routeNames } from "./metrics/route-names";
import type { Metrics } from "./metrics/metrics";
import type { Traces } from "../traces";
import { PageCache } from "./page-cache/page-cache";
import { rolePages } from "./page-cache/role-pages";
import { sharedPages } from "./page-cache/shared-pages";
import type { People } from "./page-cache/viewers";
import type { Pages } from "./http/pages";
import type { PublicFile } from "./public-files";
import { refuseMalformed } from "./request-line";
import { requestTurns } from "./request-queue";
import { securityHeaders } from "./http/security-headers";
import { requestTraces } from "./trace-requests";
import { UnsentAnswers } from "./unsent";

type Parts = {
  config: Config;
  log: Logger;
  files: ReadonlyMap<string, PublicFile>;
  build: Pick<ServerBuild, "routes">;
  pages: Pages;
  phase: () => Phase;
  /** Changes with each change of what public pages show. */
  revision: () => string;
  /** Images of the content; none with an external API. */
  images: () => Images | undefined;
  /** The embedded platform, once it is open. */
  people: () => People | undefined;
  /** Undefined without METRICS_PORT. */
  metrics?: Pick<Metrics, "ofHost"> | undefined;
  /** Undefined when no traces are sent. */
  traces?: Traces | undefined;
};

/** The whole host: what is malformed is refused, what is ready is sent, the rest passes the middleware. */
export function hostListener({ config, log, files, build, pages, phase, ...parts }: Parts) {
  const unsent = new UnsentAnswers(log);
  const readOrigin = originReader(config);
  const headers = securityHeaders(config);
  const { revision, people } = parts;
  const cache = new PageCache({ revision });
  const { siteUrl } = config;
  const kept = { cache, pages, securityHeaders: headers };
  const roles = rolePages({ ...kept, people });
  const shared = sharedPages({ ...kept, build, roles, siteUrl });
  const runInTurn = requestTurns();
  const { expectedWaitMs } = runInTurn;
  const routeOf = routeNames(build, files);
  const metrics = parts.metrics?.ofHost({ routeOf, expectedWaitMs, cache });
  const traces = parts.traces && requestTraces(parts.traces, routeOf);
  const common = { config, log, phase, securityHeaders: headers, runInTurn, metrics, traces };
  const { isKept } = shared;
  const ofContent = { files, images: parts.images };
  const app = hostApp({ ...common, ...ofContent, pages: shared.answer, isKept });
  const rest: RequestListener = getRequestListener(app.fetch);
  const answer = refuseMalformed(front({ ...common, cache, shared, roles, rest }), log);
  return ((request, response) => {
    unsent.follow(response, () => subjectOf(readOrigin(request).clientAddress));
    answer(request, response);
  }) satisfies RequestListener;
}
