import { isRouteErrorResponse } from "@remix-run/react";
import type { Failure } from "~/api/errors";
import { log } from "../server/log";

/**
 * Logs that the external API failed a browser's call. The query is left out: it may hold a secret.
 */
export function logBrokenAnswer({ method, url }: Request, reason: string) {
  const { pathname: path } = new URL(url);
  log().warn({ method, path, reason }, "the external API gave no answer that can be passed on");
}

/**
 * Logs a failed page: unknown paths as information, other refusals as a warning, the rest as an
 * error.
 */
export function logFailure(failure: unknown, request: Request) {
  if (isRouteErrorResponse(failure)) return logRefusal(failure, request);
  const { pathname: path } = new URL(request.url);
  log().error({ err: failure, path, method: request.method }, "page failed");
}

/** Logs a page that answered with an error status. */
export function logRefusal({ status, statusText: reason }: Refusal, request: Request) {
  const path = new URL(request.url).pathname.replace(/\.data$/, "");
  if (status === 404) log().info({ path, status }, `Page not found: ${path}`);
  else log().warn({ path, status, reason }, "page refused");
}

type Refusal = { status: number; statusText: string };

/** Logs a broken call, even if its page handles it. The error names the endpoint and no values. */
export function logBrokenCall(failure: Failure, request: Request) {
  const { pathname: path } = new URL(request.url);
  log().error({ err: failure, path }, "call failed");
}

/** Logs why a stream of messages ended early. The browser reconnects by itself. */
export function logBrokenStream(error: unknown): null {
  log().warn({ err: error }, "stream of messages broken off");
  return null;
}
