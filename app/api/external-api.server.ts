import { CLIENT_ADDRESS, CLIENT_AGENT } from "~/contract/client-headers";
import {
  ANSWER_LIMIT_BYTES,
  EXPORT_LIMIT_BYTES,
  MAX_REDIRECTS,
  REQUEST_TIMEOUT_MS,
} from "~/contract/limits";
import { logAnswered, logBrokenAnswer } from "~/log.server";
import { currentRequest } from "../../server/current-work";
import { PASSED_SITES, passedWith } from "../../server/passed-sites";
import { inSpan } from "../../server/traces";
import type { NewSpan } from "../../server/traces/span";
import { BrokenAnswer } from "./broken-answer";
import { nameOfCall } from "./call-name";
import type { Transport } from "./over-http";
import { noteStatus } from "./traced-calls.server";

type External = {
  /** `https://host/api`, without a final slash. */
  base: string;
  /** Public origin of this site. Links in the API's mails lead there. */
  siteOrigin: string;
};

/** Headers of one connection, or between the browser and this site. The API does not receive them. */
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
  "baggage",
  "sec-fetch-dest",
  "sec-fetch-mode",
  "sec-fetch-site",
];

/** Headers of the API that browsers receive. Cookies and policies come from this site alone. */
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
 * Answers a browser's own `/api/…` request with the external API's answer: JSON of bounded size,
 * within the time limit of all calls. Anything else becomes 502: an API could otherwise serve pages
 * in this site's name.
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
    const passed = await inSpan(spanOf(request.method, pathname), async (span) => {
      const outgoing = { ...(await toOutgoing(request, external, url)), signal };
      const answer = isBankPage(path)
        ? await passOnBankPage(await sendOnce(outgoing), url)
        : await passOn(await send(outgoing), url, JSON_TYPE);
      if (span) noteStatus(span, "client", answer.status);
      return answer;
    });
    if (passed.status < 500) logAnswered();
    return passed;
  } catch (error) {
    // A visitor who has left needs no answer. Any other error is a failure of the API: 502.
    if (request.signal.aborted) throw error;
    const isBroken = error instanceof BrokenAnswer;
    const reason = isBroken ? error.message : "no answer";
    logBrokenAnswer(request, reason, isBroken ? undefined : error);
    const message = isBroken ? "The API's answer cannot be passed on" : "The API does not answer";
    return Response.json({ message }, { status: 502, headers: { "cache-control": "no-store" } });
  }
}

/** A call outside the contract has no name: its path may hold anything. */
const spanOf = (method: string, pathname: string): NewSpan => ({
  name: nameOfCall(method, pathname) ?? method,
  kind: "client",
  attributes: { "http.request.method": method },
});

const JSON_TYPE = /^application\/(?:problem\+)?json\b/i;
const HTML_TYPE = /^text\/html\b/i;

/** Another Cap Céleste serves its sandbox bank under the address of this site. */
const isBankPage = (path: string) => path.startsWith("/sandbox/");

/** The page runs no script, and its form is sent to this site only. */
const BANK_PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** Besides HTML, the bank's redirect back to the site is passed on. */
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
  /** The whole body: a redirect may need it a second time. */
  body: ArrayBuffer | null;
  signal: AbortSignal;
};

/**
 * The request as it is sent to the API. The usual proxy headers name the visitor. An API that trusts
 * this site as a proxy then applies its limits per visitor, not to the site as a whole.
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
  // One search then finds the request in the logs of both. A visitor's own is not passed on.
  const { requestId = null, passedSites, span } = currentRequest() ?? {};
  replace(headers, "x-request-id", requestId);
  const { traceparent = null, tracestate = null } = span?.headers() ?? {};
  replace(headers, "traceparent", traceparent);
  replace(headers, "tracestate", tracestate);
  // A call that comes round to this site ends there.
  headers.set(PASSED_SITES, passedWith(passedSites));
  const body = request.body ? await request.arrayBuffer() : null;
  return { url, method, headers, body, signal };
}

function replace(headers: Headers, name: string, value: string | null) {
  if (value === null) headers.delete(name);
  else headers.set(name, value);
}

/**
 * Follows redirects, but only within the API's origin: another server must not get the token.
 * @throws BrokenAnswer for a redirect to another origin, and for too many redirects
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

/** The next request, as browsers make it (Fetch Standard, HTTP-redirect fetch): only 307 and 308 repeat a POST. */
function followRedirect(outgoing: OutgoingRequest, status: number, url: string): OutgoingRequest {
  const { method } = outgoing;
  const isRead = method === "GET" || method === "HEAD";
  const keepsMethod = status === 307 || status === 308 || (status !== 303 && method !== "POST");
  if (isRead || keepsMethod) return { ...outgoing, url };
  const headers = new Headers(outgoing.headers);
  headers.delete("content-type");
  return { ...outgoing, url, headers, method: "GET", body: null };
}

/** Reading fails beyond the limit. Bytes are counted after decompression. */
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
