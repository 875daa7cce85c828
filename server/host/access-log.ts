import type { Logger } from "../log";
import type { HostMiddleware } from "./request";

/** An identifier that a proxy in front gave is kept: one search then finds both logs. */
const REQUEST_ID = /^[\w-]{8,64}$/;

/** One line per request. Without the query: it may hold a secret of a mailed link. */
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
