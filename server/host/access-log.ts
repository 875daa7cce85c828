import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { currentRequest } from "../current-work";
import type { Logger } from "../log";
import { setHeader, type HostMiddleware } from "./http/request";

/** What an identifier of a proxy may look like. */
const REQUEST_ID = /^[\w-]{8,64}$/;

/** Logs one line per request, without the query: it may hold the secret of a mailed link. */
export function accessLog(log: Logger): HostMiddleware {
  return async (context, next) => {
    const start = performance.now();
    const requestId = currentRequest()?.requestId ?? randomUUID();
    context.set("requestId", requestId);
    await next();
    const { method, path } = context.req;
    const { status } = context.res;
    if (!isQuiet({ status, path })) setHeader(context, "x-request-id", requestId);
    const client = context.get("clientAddress");
    logRequest(log, start, { requestId, method, path, status, client });
  };
}

/**
 * The identifier that a proxy of this site gave, or a new one: one search then finds the request in both logs.
 * A visitor's own would let them write under somebody else's.
 */
export function requestIdOf({ headers }: IncomingMessage, isFromProxy: boolean): string {
  const given = isFromProxy ? headers["x-request-id"]?.toString() : undefined;
  return given !== undefined && REQUEST_ID.test(given) ? given : randomUUID();
}

type Answered = {
  requestId: string;
  /** Where traces are sent; in the middleware the log adds it by itself. */
  trace_id?: string;
  method: string;
  path: string;
  status: number;
  client: string;
};

/** @param start when the request came, of `performance.now()` */
export function logRequest(log: Logger, start: number, answered: Answered) {
  const ms = Math.round((performance.now() - start) * 10) / 10;
  log[isQuiet(answered) ? "debug" : "info"]({ ...answered, ms }, "request");
}

/** Whether an answer is of no interest in the log. An identifier would be fifty bytes for nothing then. */
export const isQuiet = ({ status, path }: Pick<Answered, "status" | "path">) =>
  status < 400 && isRoutine(path);

function isRoutine(path: string) {
  return /^\/(?:assets|fonts|healthz|readyz)\b/.test(path);
}
