import type { Logger } from "../log";
import type { HostMiddleware } from "./request";

/** The identifier of a proxy in front is kept, so that one search finds the request in both logs. */
const REQUEST_ID = /^[\w-]{8,64}$/;

/** Logs one line per request, without the query: it may hold the secret of a mailed link. */
export function accessLog(log: Logger): HostMiddleware {
  return async (context, next) => {
    const start = performance.now();
    const given = context.req.header("x-request-id");
    const requestId = given && REQUEST_ID.test(given) ? given : crypto.randomUUID();
    context.set("requestId", requestId);
    await next();
    context.header("x-request-id", requestId);
    const { method, path } = context.req;
    const { status } = context.res;
    const ms = Math.round((performance.now() - start) * 10) / 10;
    const quiet = status < 400 && isRoutine(path);
    const client = context.get("clientAddress");
    log[quiet ? "debug" : "info"]({ requestId, method, path, status, ms, client }, "request");
  };
}

function isRoutine(path: string) {
  return /^\/(?:assets|fonts|healthz|readyz)\b/.test(path);
}
