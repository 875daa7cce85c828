import { Hono } from "hono";
import type { Config } from "../../app/config.server";
import type { Logger } from "../log";
import { isDatabaseUnavailable } from "../platform/database/unavailable";
import type { Images } from "../platform/content/images/find";
import { accessLog } from "./access-log";
import { bodyLimit } from "./body-limit";
import { compression } from "./compression";
import { tagPages } from "./http/etag";
import { imageFiles } from "./image-files";
import { forwarding } from "./forwarding";
import { readyz, type Phase } from "./health";
import { loopGuard } from "./loop-guard";
import { originGuard } from "./origin-guard";
import type { PublicFile } from "./public-files";
import { countRequests } from "./metrics/count-requests";
import type { RequestMetrics } from "./metrics/request-metrics";
import { setErrorPageLook, refuse } from "./refusal";
import { requestQueue, type RequestTurns } from "./request-queue";
import {
  isApiPath,
  setHeader,
  type HostContext,
  type HostEnv,
  type HostMiddleware,
} from "./http/request";
import { setSecurityHeaders, type SecurityHeaders } from "./http/security-headers";
import { slowRefusals } from "./slow-refusals";
import { shedding } from "./shedding";
import { staticFiles } from "./static-files";
import { endSpansOfStreams, type RequestTraces } from "./trace-requests";

type Parts = {
  config: Pick<Config, "apiUrl" | "defaultFormula" | "siteUrl" | "siteTitle" | "trustedProxies">;
  log: Logger;
  files: ReadonlyMap<string, PublicFile>;
  pages: (context: HostContext) => Promise<Response>;
  phase: () => Phase;
  images: () => Images | undefined;
  securityHeaders: SecurityHeaders;
  runInTurn: RequestTurns;
  isKept: (context: HostContext) => boolean;
  metrics: RequestMetrics | undefined;
  traces: RequestTraces | undefined;
};

/**
 * Builds what answers requests for which nothing is ready (`front.ts`). Each passes the middleware in the
 * order given here.
 */
export function hostApp({ config, log, files, pages, phase, ...parts }: Parts): Hono<HostEnv> {
  setErrorPageLook(config.siteTitle, files);
  const app = new Hono<HostEnv>();
  const { runInTurn, isKept, metrics, traces } = parts;
  // Log and metrics tell how long the work took, without the delay.
  app.use(slowRefusals());
  if (metrics) app.use(countRequests(metrics));
  if (traces) app.use(endSpansOfStreams());
  app.use(accessLog(log), forwarding(config, log));
  app.use(forgiveLeaver(), closeAtEnd(phase), setSecurityHeaders(parts.securityHeaders));
  app.use(loopGuard(config.apiUrl, log), bodyLimit());
  app.get("/readyz", readyz(config, log, phase));
  app.use(
    staticFiles(files),
    askToWait(phase),
    originGuard(config.siteUrl),
    pageMethods(),
    shedding({
      log,
      expectedWaitMs: runInTurn.expectedWaitMs,
      isKept,
      turnedAway: () => metrics?.turnedAway(),
    }),
    requestQueue(runInTurn),
    imageFiles(parts.images),
    compression(),
    tagPages(),
  );
  app.all("*", pages);
  app.onError((err, context) => {
    const requestId = context.get("requestId");
    // A client that disconnects before the response is no failure of the site.
    if (context.env.outgoing.closed) {
      log.info({ requestId }, "request given up");
      return refuse(context, "givenUp");
    }
    // An image. The platform logs an outage of its database once.
    if (config.apiUrl === undefined && isDatabaseUnavailable(err)) {
      context.header("retry-after", RETRY_AFTER_SECONDS);
      return refuse(context, "away");
    }
    log.error({ err, requestId }, "request failed");
    return refuse(context, "broken");
  });
  return app;
}

/** Seconds: most starts, and most outages of a database, are shorter. */
const RETRY_AFTER_SECONDS = "5";

/** Answers visitors while the process starts: it may still be refused, and then has changed nothing. */
function askToWait(phase: () => Phase): HostMiddleware {
  return async (context, next) => {
    if (phase() !== "starting") return next();
    context.header("retry-after", RETRY_AFTER_SECONDS);
    return refuse(context, "starting");
  };
}

const PAGE_METHODS = ["GET", "HEAD", "POST"];

/** Refuses other methods, which Remix would treat as a post: `DELETE /logout` would sign out. */
function pageMethods(): HostMiddleware {
  return async (context, next) => {
    const { method, path } = context.req;
    if (isApiPath(path) || PAGE_METHODS.includes(method)) return next();
    context.header("allow", PAGE_METHODS.join(", "));
    return refuse(context, "method");
  };
}

/**
 * A page whose client has left breaks off, and Remix answers nobody with a 500. That is no failure of the site: it
 * would ring the alarm of failures, with no line in the log to look for.
 */
function forgiveLeaver(): HostMiddleware {
  return async (context, next) => {
    await next();
    if (context.env.outgoing.closed && context.res.status >= 500) {
      context.res = refuse(context, "givenUp");
    }
  };
}

/** Closes connections while draining: an open one would wait for its next request. */
function closeAtEnd(phase: () => Phase): HostMiddleware {
  return async (context, next) => {
    await next();
    if (phase() === "stopping") setHeader(context, "connection", "close");
  };
}
