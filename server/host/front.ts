import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Config } from "../../app/config.server";
import { subjectOf } from "../../app/contract/client-address";
import { newFormKey } from "../../app/session/form-key.server";
import { runAs } from "../current-work";
import type { Logger } from "../log";
import { PASSED_SITES } from "../passed-sites";
import type { Span } from "../traces/span";
import { isQuiet, logRequest, requestIdOf } from "./access-log";
import { originReader } from "./forwarding";
import type { Phase } from "./health";
import type { RequestMetrics } from "./metrics/request-metrics";
import { keptAddress, mayHaveSession, versionFor } from "./page-cache/address";
import type { ReadyAnswer } from "./page-cache/kept-page";
import type { PageCache } from "./page-cache/page-cache";
import type { RolePages } from "./page-cache/role-pages";
import type { SharedPages } from "./page-cache/shared-pages";
import { isReadMethod } from "./http/request";
import type { SecurityHeaders } from "./http/security-headers";
import { pathOf } from "./request-line";
import type { RequestTurns } from "./request-queue";
import type { RequestTraces } from "./trace-requests";

type Parts = {
  config: Pick<Config, "siteUrl" | "trustedProxies">;
  log: Logger;
  phase: () => Phase;
  securityHeaders: SecurityHeaders;
  cache: PageCache;
  shared: Pick<SharedPages, "isKnown" | "refresh">;
  roles: Pick<RolePages, "knownPlace" | "find">;
  runInTurn: RequestTurns;
  metrics?: RequestMetrics | undefined;
  traces?: RequestTraces | undefined;
  /** Answers all other requests. */
  rest: RequestListener;
};

const HEALTHY = new TextEncoder().encode("ok");

/**
 * Answers what is ready, before any `Request` object is made: liveness, and pages that the cache keeps. Those for
 * people with a session wait for their turn, because the database is asked whether it lives. The
 * middleware takes ten times the time of writing the answer (docs/decisions/0036-page-cache.md).
 */
export function front({ config, log, phase, cache, shared, roles, rest, ...parts }: Parts) {
  const { metrics } = parts;
  const readOrigin = originReader(config);
  const alive = aliveAnswer(parts.securityHeaders);
  const findReady = (
    { request, response, path, client, requestId, span }: Exchange,
    origin: string,
  ): ReadyAnswer | Promise<ReadyAnswer | null> | null => {
    const { url = "", headers } = request;
    if (path === "/healthz") return alive(origin);
    // A request line with a whole URL may name another host than the header: no page is kept under such an address.
    const address = keptAddress(origin, url, shared.isKnown);
    if (address === null) return null;
    const asked = {
      acceptEncoding: headers["accept-encoding"]?.toString(),
      ifNoneMatch: headers["if-none-match"],
    };
    const { cookie: cookies = "" } = headers;
    const version = versionFor(address, { cookies, saveData: headers["save-data"]?.toString() });
    if (mayHaveSession(cookies)) {
      const place = roles.knownPlace(address);
      if (place === null) return null;
      const find = async () =>
        response.closed ? null : roles.find(place, { ...asked, url: origin, cookies, version });
      const findInTurn = () => parts.runInTurn(subjectOf(client), find, { isLight: true });
      return runAs({ requestId, span }, findInTurn);
    }
    const found = cache.find(version.key);
    if (found?.isFresh === false) shared.refresh(version);
    return found?.page.answer({ ...asked, mark: newFormKey }) ?? null;
  };
  const send = (exchange: Exchange, ready: ReadyAnswer) => {
    const { request, response, path, start, client, requestId, span } = exchange;
    const { method = "" } = request;
    const isLast = phase() === "stopping" || hasBody(request);
    const id = isQuiet({ status: ready.status, path }) ? [] : ["x-request-id", requestId];
    const more = [...id, ...(isLast ? CLOSE : [])];
    response.writeHead(
      ready.status,
      more.length === 0 ? ready.headers : [...ready.headers, ...more],
    );
    // Node leaves the body of an answer to HEAD out.
    response.end(ready.body);
    const trace = span && { trace_id: span.traceId };
    logRequest(log, start, { requestId, ...trace, method, path, status: ready.status, client });
    if (!metrics) return;
    const seconds = (performance.now() - start) / 1000;
    const source = path === "/healthz" ? null : "hit";
    metrics.answered({ method, path, status: ready.status, seconds, source });
  };
  const answer = inBursts(send);
  return (request: IncomingMessage, response: ServerResponse) => {
    const start = performance.now();
    parts.runInTurn.arrived();
    const { method = "", url = "" } = request;
    const path = pathOf(url) ?? "";
    const { origin, clientAddress: client, isFromProxy } = readOrigin(request);
    const requestId = requestIdOf(request, isFromProxy);
    const passedSites = request.headers[PASSED_SITES]?.toString();
    const span = parts.traces?.begin({ request, response, path, origin, isFromProxy, requestId });
    const answerRest = () => runAs({ requestId, passedSites, span }, () => rest(request, response));
    if (!isReadMethod(method)) return answerRest();
    const exchange = { request, response, path, start, client, requestId, span };
    const found = findReady(exchange, origin);
    if (!found) return answerRest();
    if (!(found instanceof Promise)) return answer(exchange, found);
    // What fails here, or finds the queue full, does so in the middleware too, which answers and logs it.
    const settle = (ready: ReadyAnswer | null) => {
      if (ready) answer(exchange, ready);
      else if (response.closed) log.info({ requestId, path }, "request given up");
      else answerRest();
    };
    void found.catch(() => null).then(settle);
  };
}

type Exchange = {
  request: IncomingMessage;
  response: ServerResponse;
  path: string;
  /** When the request came, of `performance.now()`. */
  start: number;
  /** The address of the visitor. */
  client: string;
  requestId: string;
  span: Span | undefined;
};

/**
 * Delays what is sent until all requests that arrived with it are read. Each write may wake a receiver on
 * the same machine (a proxy), which costs as much as the rest of the answer; writes in a row wake it once.
 */
function inBursts(send: (exchange: Exchange, ready: ReadyAnswer) => void): typeof send {
  let waiting: { exchange: Exchange; ready: ReadyAnswer }[] = [];
  const sendAll = () => {
    const burst = waiting;
    waiting = [];
    for (const { exchange, ready } of burst) send(exchange, ready);
  };
  return (exchange, ready) => {
    if (waiting.length === 0) setImmediate(sendAll);
    waiting.push({ exchange, ready });
  };
}

const CLOSE = ["connection", "close"];

/** A body that nobody reads: the connection closes after the answer. */
const hasBody = ({ headers }: IncomingMessage) =>
  Number(headers["content-length"] ?? 0) > 0 || headers["transfer-encoding"] !== undefined;

/** Liveness: the process answers. */
function aliveAnswer(securityHeaders: SecurityHeaders) {
  const type = "text/plain; charset=utf-8";
  const own = ["content-type", type, "cache-control", "no-store"];
  const length = ["content-length", String(HEALTHY.byteLength)];
  const answerOf = (scheme: string): ReadyAnswer => ({
    status: 200,
    headers: [...own, ...length, ...securityHeaders(scheme, type).flat()],
    body: HEALTHY,
  });
  const [plain, secure] = [answerOf("http:"), answerOf("https:")];
  return (origin: string) => (origin.startsWith("https:") ? secure : plain);
}
