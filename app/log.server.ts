import { isRouteErrorResponse } from "@remix-run/react";
import type { Failure } from "~/api/errors";
import { log } from "../server/log";

/** An external API failed a browser's call. Without the query: it may hold a secret. */
export function logBrokenAnswer({ method, url }: Request, reason: string) {
  const { pathname: path } = new URL(url);
  log().warn({ method, path, reason }, "the external API gave no answer that can be passed on");
}

/** Unknown paths are a line of information, refused validations a warning, the rest an error. */
export function logFailure(failure: unknown, request: Request) {
  if (isRouteErrorResponse(failure)) return logRefusal(failure, request);
  const { pathname: path } = new URL(request.url);
  log().error({ err: failure, path, method: request.method }, "page failed");
}

/** A page that answers with a status in place of itself. */
export function logRefusal({ status, statusText: reason }: Refusal, request: Request) {
  const path = new URL(request.url).pathname.replace(/\.data$/, "");
  if (status === 404) log().info({ path, status }, `Page not found: ${path}`);
  else log().warn({ path, status, reason }, "page refused");
}

type Refusal = { status: number; statusText: string };

/** A call that broke, whatever its page makes of it; the error names the endpoint, never its values. */
export function logBrokenCall(failure: Failure, { pathname: path }: URL) {
  log().error({ err: failure, path }, "call failed");
}

/** Cursors of an external API that lead in a circle, or to more than anybody reads. */
export function logEndlessList(call: string) {
  log().error({ call }, "list without an end");
}

/** The reader's browser asks anew; what went wrong is told here. */
export function logBrokenStream(error: unknown): null {
  log().warn({ err: error }, "stream of messages broken off");
  return null;
}
