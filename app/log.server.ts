import { isRouteErrorResponse } from "@remix-run/react";
import { log } from "../server/log";

/** An external API failed a browser's call. Without the query: it may hold a secret. */
export function logBrokenAnswer({ method, url }: Request, reason: string) {
  const { pathname: path } = new URL(url);
  log().warn({ method, path, reason }, "the external API gave no answer that can be passed on");
}

/** Unknown paths are a line of information, refused validations a warning, the rest an error. */
export function logFailure(failure: unknown, request: Request) {
  const { pathname: path } = new URL(request.url);
  if (isRouteErrorResponse(failure)) {
    const { status } = failure;
    if (status === 404) log().info({ path, status }, `Page not found: ${path}`);
    else log().warn({ path, status, reason: failure.statusText }, "page refused");
  } else {
    log().error({ err: failure, path, method: request.method }, "page failed");
  }
}

/** The reader's browser asks anew; what went wrong is told here. */
export function logBrokenStream(error: unknown): null {
  log().warn({ err: error }, "stream of messages broken off");
  return null;
}
