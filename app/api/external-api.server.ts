import {
  ANSWER_LIMIT_BYTES,
  EXPORT_LIMIT_BYTES,
  MAX_REDIRECTS,
  REQUEST_TIMEOUT_MS,
} from "~/contract/limits";
import { logBrokenAnswer } from "~/log.server";
import { BrokenAnswer } from "./broken-answer";
import type { Transport } from "./client";
import { CLIENT_ADDRESS, CLIENT_AGENT } from "./prepare";

type External = {
  /** `https://host/api`, without a final slash. */
  base: string;
  /** Where people reach this site: what the API mails leads there. */
  siteOrigin: string;
};

/** Of one connection, or of a browser on this site alone: not the API's business. */
const DROPPED_HEADERS = [
  "connection",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "proxy-authorization",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "accept-encoding",
  "cookie",
  "origin",
  "referer",
  "forwarded",
  "x-real-ip",
  "sec-fetch-dest",
  "sec-fetch-mode",
  "sec-fetch-site",
];

/** What a browser may learn from the API; cookies and policies of this site are the site's. */
const PASSED_HEADERS = [
  "cache-control",
  "content-type",
  "etag",
  "last-modified",
  "next-token",
  "retry-after",
  "vary",
];

/** The site's own calls to an external API. */
export function externalTransport(external: External): Transport {
  return async (request) => {
    const outgoing = await toOutgoing(request, external, request.url);
    return limitSize(await send(outgoing), limitFor(request.url));
  };
}

/**
 * Answers a browser's own `/api/…` request with an external API's answer: JSON of bounded size, within
 * the time limit of every call. Anything else is 502, so that no API speaks as this site.
 */
export async function forwardTo(
  external: External,
  request: Request,
  timeoutMs = REQUEST_TIMEOUT_MS,
): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const path = pathname.replace(/^\/api/, "");
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)]);
  try {
    const url = `${external.base}${path}${search}`;
    const outgoing = { ...(await toOutgoing(request, external, url)), signal };
    return isBankPage(path)
      ? await passOnBankPage(await sendOnce(outgoing), url)
      : await passOn(await send(outgoing), url, JSON_TYPE);
  } catch (error) {
    // Who has left is answered by nobody; otherwise it is the API's failure, and none of this site.
    if (request.signal.aborted) throw error;
    const isBroken = error instanceof BrokenAnswer;
    const reason = isBroken ? error.message : "no answer";
    logBrokenAnswer(request, reason);
    const message = isBroken ? "The API's answer cannot be passed on" : "The API does not answer";
    return Response.json({ message }, { status: 502, headers: { "cache-control": "no-store" } });
  }
}

const JSON_TYPE = /^application\/(?:problem\+)?json\b/i;
const HTML_TYPE = /^text\/html\b/i;

/** The sandbox bank of another Cap Céleste shows its pages at the address of the shop. */
const isBankPage = (path: string) => path.startsWith("/sandbox/");

/** Nothing runs on such a page, and its form stays on this site. */
const BANK_PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** It also sends the browser back to the shop. */
async function passOnBankPage(answer: Response, url: string): Promise<Response> {
  const page = await passOn(answer, url, HTML_TYPE);
  const location = answer.headers.get("location");
  if (location) page.headers.set("location", location);
  page.headers.set("content-security-policy", BANK_PAGE_POLICY);
  return page;
}

type OutgoingRequest = {
  url: string;
  method: string;
  headers: Headers;
  /** Whole, as it is sent again after a redirect. */
  body: ArrayBuffer | null;
  signal: AbortSignal;
};

/**
 * The same request as the API is to see it. The visitor stands in the headers that every proxy writes:
 * an API that names this site among its trusted proxies counts visitors, not the site.
 */
async function toOutgoing(
  request: Request,
  external: External,
  url: string,
): Promise<OutgoingRequest> {
  const { method, signal } = request;
  const headers = new Headers(request.headers);
  for (const name of DROPPED_HEADERS) headers.delete(name);
  const { protocol, host } = new URL(external.siteOrigin);
  replace(headers, "x-forwarded-for", headers.get(CLIENT_ADDRESS));
  replace(headers, "x-forwarded-proto", protocol.slice(0, -1));
  replace(headers, "x-forwarded-host", host);
  replace(headers, "user-agent", headers.get(CLIENT_AGENT));
  for (const name of [CLIENT_ADDRESS, CLIENT_AGENT]) headers.delete(name);
  const body = request.body ? await request.arrayBuffer() : null;
  return { url, method, headers, body, signal };
}

function replace(headers: Headers, name: string, value: string | null) {
  if (value === null) headers.delete(name);
  else headers.set(name, value);
}

/**
 * Follows redirects, though on the API's own origin only: elsewhere the token would be anybody's.
 * @throws BrokenAnswer for others, and for too many
 */
async function send(first: OutgoingRequest): Promise<Response> {
  let outgoing = first;
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    const response = await sendOnce(outgoing);
    const location = response.headers.get("location");
    if (!REDIRECTS.includes(response.status) || location === null) return response;
    await response.body?.cancel();
    const target = URL.canParse(location, outgoing.url) ? new URL(location, outgoing.url) : null;
    if (target?.origin !== new URL(first.url).origin) {
      throw new BrokenAnswer("it redirects to another origin");
    }
    outgoing = followRedirect(outgoing, response.status, target.href);
  }
  throw new BrokenAnswer(`it redirects more than ${MAX_REDIRECTS} times`);
}

const REDIRECTS = [301, 302, 303, 307, 308];

const sendOnce = ({ url, ...init }: OutgoingRequest) => fetch(url, { ...init, redirect: "manual" });

/** As browsers do (Fetch Standard, HTTP-redirect fetch): only 307 and 308 post again. */
function followRedirect(outgoing: OutgoingRequest, status: number, url: string): OutgoingRequest {
  const { method } = outgoing;
  const isRead = method === "GET" || method === "HEAD";
  const keepsMethod = status === 307 || status === 308 || (status !== 303 && method !== "POST");
  if (isRead || keepsMethod) return { ...outgoing, url };
  const headers = new Headers(outgoing.headers);
  headers.delete("content-type");
  return { ...outgoing, url, headers, method: "GET", body: null };
}

/** Fails while it is read beyond the limit, also where compression made it small on its way. */
function limitSize(response: Response, limit: number): Response {
  const { status, headers } = response;
  if (!response.body) return response;
  let size = 0;
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      size += chunk.byteLength;
      if (size > limit) throw new BrokenAnswer(`it is larger than ${limit} bytes`);
      controller.enqueue(chunk);
    },
  });
  return new Response(response.body.pipeThrough(counting), { status, headers });
}

const limitFor = (url: string) =>
  /\/users\/[^/]+\/export$/.test(new URL(url).pathname) ? EXPORT_LIMIT_BYTES : ANSWER_LIMIT_BYTES;

/** @throws BrokenAnswer for a body of another type, or above the limit */
async function passOn(response: Response, url: string, type: RegExp): Promise<Response> {
  const { status } = response;
  const body = await limitSize(response, limitFor(url)).arrayBuffer();
  if (body.byteLength > 0 && !type.test(response.headers.get("content-type") ?? "")) {
    throw new BrokenAnswer("it is of a type that is not passed on");
  }
  const headers = new Headers();
  for (const name of PASSED_HEADERS) replace(headers, name, response.headers.get(name));
  return new Response(body.byteLength > 0 ? body : null, { status, headers });
}
