import { isRouteErrorResponse } from "@remix-run/react";
import { nameOfCall } from "~/api/call-name";
import { isFailure, type Failure } from "~/api/errors";
import { config } from "~/config.server";
import { log } from "../server/log";

/**
 * Logs that the external API failed a browser's call. Its address is left out: it may hold a secret. A call
 * outside the contract is no outage: whoever sends one chooses how the API answers.
 */
export function logBrokenAnswer({ method, url }: Request, reason: string, error?: unknown) {
  const call = nameOfCall(method, new URL(url).pathname);
  const fields = { call: call ?? method, reason, ...(error !== undefined && { err: error }) };
  // Without an answer at all: one that came and was refused has no error.
  if (call !== null && error !== undefined) return logOutage(fields);
  const words = "the external API gave no answer that can be passed on";
  if (call === null) log().warn(fields, words);
  else log().error(fields, words);
}

/**
 * Logs a failed page: unknown paths and wrong methods as information, other refusals as a warning, the rest
 * as an error.
 */
export function logFailure(failure: unknown, request: Request) {
  if (isRouteErrorResponse(failure)) return logRefusal(failure, request);
  if (isFailure(failure)) return logBrokenCall(failure, new URL(request.url));
  const { pathname: path } = new URL(request.url);
  log().error({ err: failure, path, method: request.method }, "page failed");
}

/** Logs a page that answered with an error status. Scanners try paths and methods: neither is a warning. */
export function logRefusal({ status, statusText: reason }: Refusal, request: Request) {
  if (isToldByPlatform(status) || isToldByOutage(status)) return;
  const path = new URL(request.url).pathname.replace(/\.data$/, "");
  if (status === 404) log().info({ path, status }, `${missingReason(reason)}: ${path}`);
  else log()[status === 405 ? "info" : "warn"]({ path, status, reason }, "page refused");
}

/** No route has the address, or its route refused what stands in it. */
export type MissingReason = "Page not found" | "Page Not Found";

const missingReason = (reason: string): MissingReason =>
  reason === "Page Not Found" ? reason : "Page not found";

type Refusal = { status: number; statusText: string };

/**
 * Logs a broken call, even if its page handles it, by the name of its endpoint. What the API says of it is left
 * out: it may name a person.
 */
export function logBrokenCall(failure: Failure, { pathname: path }: URL) {
  if (isToldByPlatform(statusOf(failure))) return;
  const { line: call, cause } = failure;
  const reason = reasonOf(failure);
  const fields = { call, reason, path, ...(cause !== undefined && { err: cause }) };
  if (isOfOutage(failure)) return logOutage(fields);
  // Content that cannot be read is what most pages are made of: the log says so by name.
  const words = call.startsWith("GET /content/article")
    ? "Error fetching article"
    : call.startsWith("GET /content/media")
      ? "Error fetching media"
      : "call failed";
  log().error(fields, words);
}

/** An API that fails some calls while it answers others is still away. */
const SETTLED_MS = 1_000;

let outage: { since: number; lastFailure: number } | undefined;

/** Logs one line when the external API goes away, however many pages and calls fail until it is back. */
function logOutage(fields: { call: string; reason: string }) {
  const now = performance.now();
  if (!outage) log().error(fields, "the external API does not answer");
  outage = { since: outage?.since ?? now, lastFailure: now };
}

/** Notes that a call was answered: it may be the first one after an outage of the external API. */
export function logAnswered(failure?: Failure) {
  if (!outage || (failure && isOfOutage(failure))) return;
  const now = performance.now();
  if (now - outage.lastFailure < SETTLED_MS) return;
  const seconds = Math.round((now - outage.since) / 100) / 10;
  outage = undefined;
  log().info({ seconds }, "the external API answers again");
}

/** Whether the external API did not answer, or a proxy in front of it said so. */
const isOfOutage = (failure: Failure) =>
  config().apiUrl !== undefined &&
  (failure.kind === "process" || (failure.kind === "unexpectedStatus" && isAway(failure.status)));

const isAway = (status: number) => status >= 502 && status <= 504;

function reasonOf(failure: Failure): string {
  switch (failure.kind) {
    case "process":
      return failure.isTimeout ? "no answer in time" : "no answer";
    case "responseValidation":
      return failure.message;
    case "requestValidation":
      return failure.kind;
    default:
      return `answered ${failure.status}`;
  }
}

/** The embedded API logs an outage of its database once, however many pages it fails. */
const isToldByPlatform = (status: number | undefined) =>
  status === 503 && config().apiUrl === undefined;

/** The pages of an outage are told by its line. */
const isToldByOutage = (status: number) => outage !== undefined && isAway(status);

const statusOf = (failure: unknown) =>
  isFailure(failure) && failure.kind === "unexpectedStatus" ? failure.status : undefined;

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
  if (isToldByPlatform(statusOf(error)) || (isFailure(error) && isOfOutage(error))) return;
  const message = isNew ? "Error creating stream" : "stream of messages broken off";
  // A call that broke is in the log with its cause already.
  const fault = isFailure(error) ? { reason: reasonOf(error) } : { err: error };
  log().warn({ ...fault, path }, message);
}
