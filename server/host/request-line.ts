import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { PATH_LENGTH } from "../../app/contract/limits";
import type { Logger } from "../log";
import { remembered } from "../remembered";
import { isApiPath } from "./http/request";
import { refusalOf, type RefusalReason } from "./refusal";

/** Browsers send some twenty, and proxies add a few. Parsed, a head of a thousand short ones takes 100 KB. */
export const MAX_HEADERS = 100;
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
/** Headers of a refusal before the middleware that sets them. */
export const REFUSAL_HEADERS = {
  allow: METHODS.join(", "),
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; style-src 'self'; font-src 'self'",
  "cross-origin-resource-policy": "same-origin",
  "x-content-type-options": "nosniff",
};

/**
 * Refuses requests that cannot become a `Request` object: `fetch` rejects `TRACE` and a user name in the
 * URL, and an invalid `Host` makes no URL. Without this check they would fail later with status 500. A head of very
 * many headers is refused, too, because it would be held as long as its request.
 */
export function refuseMalformed(listener: RequestListener, log: Logger): RequestListener {
  return (request, response) => {
    const fault = faultOf(request);
    if (fault === null) return listener(request, response);
    answer(request, response, fault, log);
  };
}

/** Names and values alternate. */
export const hasTooManyHeaders = ({ rawHeaders }: Pick<IncomingMessage, "rawHeaders">) =>
  rawHeaders.length > 2 * MAX_HEADERS;

function faultOf({
  method = "",
  url = "",
  headers,
  rawHeaders,
}: IncomingMessage): RefusalReason | null {
  if (!METHODS.includes(method)) return "method";
  if (hasTooManyHeaders({ rawHeaders })) return "longHead";
  if (hasSeveralHosts(rawHeaders) || !isHost(headers.host ?? "")) return "malformed";
  const path = pathOf(url);
  if (path === null || hasControl(path) || !isDecodable(path) || namesHost(path))
    return "malformed";
  return path.length > PATH_LENGTH ? "longPath" : null;
}

/** RFC 9112, 3.2: node keeps the first, a proxy may have checked another. Names and values alternate. */
function hasSeveralHosts(rawHeaders: string[]) {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === "host") hosts++;
  }
  return hosts > 1;
}

/** A host name has 253 characters at most (RFC 1035), and a port follows. */
export const HOST_LENGTH = 253 + ":65535".length;

/**
 * Also the rest of the address is only parsed with it. Addresses in a short form, such as `127.1`, are refused:
 * no browser sends them, and what makes the `Request` refuses some of them without a word.
 */
const isHost = remembered((host) => {
  if (host.length > HOST_LENGTH) return false;
  if (!/^[\w.~:[\]-]*[\w.~\]-]$/.test(host) || !URL.canParse(`http://${host}`)) return false;
  const { pathname, username, hostname } = new URL(`http://${host}`);
  const isWhole = hostname === host.replace(/:\d+$/, "").toLowerCase();
  return pathname === "/" && username === "" && isWhole;
});

/** The path without the query; null when the target is neither a path nor a URL without user name. */
export function pathOf(target: string): string | null {
  if (!target.startsWith("/")) {
    if (!URL.canParse(target)) return null;
    const { protocol, username, password, pathname } = new URL(target);
    return /^https?:$/.test(protocol) && !username && !password ? pathname : null;
  }
  const end = target.indexOf("?");
  return end === -1 ? target : target.slice(0, end);
}

/**
 * True for control characters and backslashes. No path of the site has one, and they can break logs
 * and headers. U+2028 and U+2029 count too: the router's expressions take them for line ends and
 * find no route below `/api`.
 */
const hasControl = (path: string) => /%(?:[01][\da-f]|7f|e2%80%a[89])|\\/i.test(path);

/** A backslash after the first slash, which a URL reads as `//host` once the path is decoded. */
const namesHost = (path: string) => /^\/+%5c/i.test(path);

function isDecodable(path: string) {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

function answer(
  { method, url = "", headers }: IncomingMessage,
  response: ServerResponse,
  fault: RefusalReason,
  log: Logger,
) {
  const path = (pathOf(url) ?? "").slice(0, 200);
  const asJson = isApiPath(path) || /^application\/json\b/.test(headers.accept ?? "");
  const { status, type, body } = refusalOf(fault, asJson);
  // The connection closes because a body that follows is not read.
  const more = { connection: "close", "content-type": type };
  response.writeHead(status, {
    ...REFUSAL_HEADERS,
    ...more,
    "content-length": Buffer.byteLength(body),
  });
  response.end(method === "HEAD" ? undefined : body);
  log.info({ method, path, status, fault }, "request refused");
}
