import { errorSchema } from "~/contract/endpoint";
import type { HostileRequest } from "./request";
import type { Answer, Outcome } from "./sending";

export const ANSWER_MS = 2_000;

/** Names the fault in the outcome of a request; null when there is none. */
export function faultOf(request: HostileRequest, outcome: Outcome): string | null {
  // The parser may close the connection on invalid HTTP. Whether the site survives is checked elsewhere.
  if (outcome.kind === "connection lost" && (request.kind === "raw" || isLong(request)))
    return null;
  if (outcome.kind !== "answer") return outcome.kind;
  if (outcome.ms > ANSWER_MS) return "took too long";
  const { answer } = outcome;
  if (answer.status >= 500) return `answered ${answer.status}`;
  if (isReflected(answer)) return "markup came back";
  if (leadsAway(request, answer)) return `led away to ${answer.headers.location}`;
  return answer.status >= 400 ? formFault(request, answer) : null;
}

/**
 * The site refuses a malformed address without reading what follows it, and closes the connection. Whoever still
 * sends then may lose the answer.
 */
const isLong = ({ body }: { body: string }) => body.length > 64 * 1024;

/** True when a page contains the marker of `values.ts` unescaped. */
function isReflected({ headers, body }: Answer) {
  return headers["content-type"]?.includes("html") && /<xss-|" onxss="|' onxss="/.test(body);
}

/** True for a redirect to the foreign host that the query or body of the request named. */
function leadsAway(request: HostileRequest, { headers }: Answer) {
  const named = request.kind === "request" && !/mal\./.test(JSON.stringify(request.headers));
  return named && /^(?:\w+:)?[\\/]{2}[^/]*mal(?:\.|%2e)example/i.test(headers.location ?? "");
}

/** A refusal has the error form below `/api`, and is a page elsewhere. */
function formFault(request: HostileRequest, { status, headers, body }: Answer): string | null {
  const [, method = ""] =
    /^(\w+) /.exec(request.kind === "raw" ? request.text : `${request.method} `) ?? [];
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
  // Data for the router, missing scripts and images, and what machines read (sitemaps, feeds) have no page.
  if (type.startsWith("text/x-script")) return null;
  if (/^\/(?:assets|fonts|medias|sitemap|feed)\/|\.xml$/.test(path)) return null;
  return `${status} is ${type === "" ? "of no type" : type}: ${body.slice(0, 80)}`;
}

/** True for the API, except the sandbox bank, whose answers are pages. */
const isCall = (path: string) => /^\/api(?:\/(?!sandbox)|$)/.test(path);

/** The path after `..` and backslashes are resolved. */
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
