import { errorSchema } from "~/contract/endpoint";
import type { HostileRequest } from "./request";
import type { Answer, Outcome } from "./sending";

const ANSWER_MS = 2_000;
const HEADERS_TOO_LARGE = 431;

/** What is wrong with what came of a request; null when nothing is. */
export function faultOf(request: HostileRequest, outcome: Outcome): string | null {
  // The HTTP parser may hang up on what is no HTTP; that the site lives on is seen by its process.
  if (request.kind === "raw" && outcome.kind === "connection lost") return null;
  if (outcome.kind !== "answer") return outcome.kind;
  if (outcome.ms > ANSWER_MS) return "took too long";
  const { answer } = outcome;
  if (answer.status >= 500) return `answered ${answer.status}`;
  if (isReflected(answer)) return "markup came back";
  if (leadsAway(request, answer)) return `led away to ${answer.headers.location}`;
  return answer.status >= 400 ? formFault(request, answer) : null;
}

/** The marker of `values.ts`, outside of what escapes it. */
function isReflected({ headers, body }: Answer) {
  return headers["content-type"]?.includes("html") && /<xss-|" onxss="|' onxss="/.test(body);
}

/** A redirect to the host that a request's query or body named. */
function leadsAway(request: HostileRequest, { headers }: Answer) {
  const named = request.kind === "request" && !/mal\./.test(JSON.stringify(request.headers));
  return named && /^(?:\w+:)?[\\/]{2}[^/]*mal\.example/.test(headers.location ?? "");
}

/** A refusal has the error form below `/api`, and is a page elsewhere. */
function formFault(request: HostileRequest, { status, headers, body }: Answer): string | null {
  // What is no HTTP, or too long for a line of it, the parser refuses, which writes no date.
  if (body === "" && (request.kind === "raw" || isOfParser(status, headers))) return null;
  const { method } = request.kind === "raw" ? { method: "" } : request;
  const path = request.kind === "raw" ? "" : pathOf(request.path);
  if (method === "HEAD") return null;
  const type = headers["content-type"] ?? "";
  if (type.startsWith("application/json")) {
    return errorSchema(status).safeParse(json(body)).success
      ? null
      : `${status} in a form of its own`;
  }
  if (type.startsWith("text/html")) {
    if (isCall(path) && isCall(request.kind === "raw" ? "" : request.path)) {
      return `${status} of a call is a page`;
    }
    return /<html[^>]* lang="fr"/.test(body) && /<main\b/.test(body)
      ? null
      : `${status} is no page`;
  }
  // Data for the router, and what is left of a script that is gone.
  if (type.startsWith("text/x-script")) return null;
  if (/^\/(?:assets|fonts)\//.test(path)) return null;
  return `${status} is ${type === "" ? "of no type" : type}: ${body.slice(0, 80)}`;
}

/** The bank's pages are none; nor is what only becomes one when a backslash or dots are read. */
const isCall = (path: string) => /^\/api(?:\/(?!sandbox)|$)/.test(path);

const isOfParser = (status: number, headers: Answer["headers"]) =>
  status === HEADERS_TOO_LARGE || !("date" in headers);

/** Where it leads once `..` is followed. */
function pathOf(path: string) {
  const url = `http://site.test${path}`;
  return URL.canParse(url) ? new URL(url).pathname : path;
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
