import type { HostMiddleware } from "../http/request";
import type { RequestMetrics } from "./request-metrics";

/** Counts each request that passes the middleware, and the streams that are open. */
export function countRequests(metrics: RequestMetrics): HostMiddleware {
  return async (context, next) => {
    const start = performance.now();
    await next();
    const { method, path } = context.req;
    const { status, headers } = context.res;
    const seconds = (performance.now() - start) / 1000;
    metrics.answered({ method, path, status, seconds, source: headers.get("x-cache") });
    const { outgoing } = context.env;
    const isStream = headers.get("content-type")?.startsWith("text/event-stream") === true;
    // The answer to HEAD has the same headers and ends at once.
    if (!isStream || status !== 200 || method !== "GET" || outgoing.closed) return;
    metrics.streamOpened();
    outgoing.once("close", () => metrics.streamClosed());
  };
}
