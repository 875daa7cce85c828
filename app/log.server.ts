import { isRouteErrorResponse } from "@remix-run/react";
import { ApiError, UnexpectedStatusError, type Failure } from "~/api/errors";
import { config } from "~/config.server";
import { log } from "../server/log";

/**
 * Logs that the external API failed a browser's call. The query is left out: it may hold a secret.
 */
export function logBrokenAnswer({ method, url }: Request, reason: string, error?: unknown) {
  const { pathname: path } = new URL(url);
  log().warn(
    { method, path, reason, ...(error !== undefined && { err: error }) },
    "the external API gave no answer that can be passed on",
  );
}

/**
 * Logs a failed page: unknown paths as information, other refusals as a warning, the rest as an
 * error.
 */
export function logFailure(failure: unknown, request: Request) {
  if (isRouteErrorResponse(failure)) return logRefusal(failure, request);
  if (isToldByPlatform(statusOf(failure))) return;
  const { pathname: path } = new URL(request.url);
  const message = fetchFault(failure) ?? "page failed";
  log().error({ err: failure, path, method: request.method }, message);
}

/** Logs a page that answered with an error status. */
export function logRefusal({ status, statusText: reason }: Refusal, request: Request) {
  if (isToldByPlatform(status)) return;
  const path = new URL(request.url).pathname.replace(/\.data$/, "");
  if (status === 404) log().info({ path, status }, `${missingReason(reason)}: ${path}`);
  else log().warn({ path, status, reason }, "page refused");
}

/** No route has the address, or its route refused what stands in it. */
export type MissingReason = "Page not found" | "Page Not Found";

const missingReason = (reason: string): MissingReason =>
  reason === "Page Not Found" ? reason : "Page not found";

type Refusal = { status: number; statusText: string };

/** Logs a broken call, even if its page handles it. The error names the endpoint and no values. */
export function logBrokenCall(failure: Failure, { pathname: path }: URL) {
  if (isToldByPlatform(statusOf(failure))) return;
  log().error({ err: failure, path }, fetchFault(failure) ?? "call failed");
}

/** The embedded API logs an outage of its database once, however many pages it fails. */
const isToldByPlatform = (status: number | undefined) =>
  status === 503 && config().apiUrl === undefined;

const statusOf = (failure: unknown) =>
  failure instanceof UnexpectedStatusError ? failure.status : undefined;

/** Content that cannot be read is what most pages are made of: the log says so by name. */
function fetchFault(failure: unknown): string | null {
  const line = failure instanceof ApiError ? failure.line : "";
  const [, kind] = /^GET \/content\/(article|media)/.exec(line) ?? [];
  return kind ? `Error fetching ${kind}` : null;
}

/** Cursors of an external API that lead in a circle, or to more than anybody reads. */
export function logEndlessList(call: string) {
  log().error({ call }, "list without an end");
}

/** Logs why a file ends early. Its download fails, and no page can say why. */
export function logBrokenFile(fault: unknown, { pathname: path }: URL) {
  log().error({ err: fault, path }, "file broken off");
}

/** Logs why a stream failed. The browser reconnects or polls, so nothing else reports the cause. */
export function logBrokenStream(error: unknown, { pathname: path }: URL, isNew: boolean) {
  if (isToldByPlatform(statusOf(error))) return;
  const message = isNew ? "Error creating stream" : "stream of messages broken off";
  // A call that broke is in the log with its cause already.
  const fault = error instanceof ApiError ? { reason: error.message } : { err: error };
  log().warn({ ...fault, path }, message);
}
