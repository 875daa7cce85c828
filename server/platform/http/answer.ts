import type { Roles } from "../../../app/contract/accounts";
import type { Endpoint, JsonLimits } from "../../../app/contract/endpoint";
import { endpoints, type EndpointName } from "../../../app/contract/endpoints";
import { JSON_LIMITS } from "../../../app/contract/limits";
import { isDatabaseUnavailable } from "../database/unavailable";
import type { Log } from "../ports/log";
import { ProviderFailure } from "../ports/payment-gateway";
import { clientAddressIn } from "./client-address";
import { clientAgentIn } from "./client-agent";
import { decodeQuery, parse } from "./decode";
import { notFound, providerRefusal, Refusal, unauthorized, UnconfirmedOrigin } from "./refusal";
import type { callTurns } from "./turns";
import { CALLS_BY_ROLE, type Authenticated, type Handlers } from "./types";

/** Until a database that is restarted, or has too many callers, may answer again. */
const RETRY_SECONDS = 5;

export type AnswerOptions = {
  handlers: Handlers;
  /** The configured public origin; without it the origin of the call is used. */
  siteUrl?: string | undefined;
  log: Log;
  runInTurn: ReturnType<typeof callTurns>;
};

/** A call as it was sent: nothing of it is checked. */
export type Sent = {
  params: Record<string, string>;
  search: URLSearchParams;
  headers: () => Record<string, string>;
  /** @throws Refusal for a body that cannot be read, or is above the limits */
  readBody: (shape: Endpoint["request"], limits: JsonLimits) => Promise<unknown>;
  /** The sender by its token; null without one. Roles without an account get what depends on roles alone. */
  sender: () => Promise<Authenticated | { roles: Roles } | null>;
  origin: string;
  clientAddress: string | null | undefined;
  clientAgent: string | null | undefined;
};

/** `body` is undefined where the contract has none. It is JSON that nobody else holds;
 * of an export, long lists are `AsyncIterable` (`jsonPieces`). */
export type Answered = { status: number; headers: Record<string, string>; body?: unknown };

type UntypedHandler = (call: object) => Promise<{ status: number; body?: unknown }>;

/** Answers one call by its handler. Call and answer are checked by the contract. */
export async function answerCall(
  name: EndpointName,
  sent: Sent,
  options: AnswerOptions,
): Promise<Answered> {
  const endpoint: Endpoint = endpoints[name];
  // The cast is safe: `readCall` parses the input, and `encode` the result, with this endpoint's schemas.
  const handler = options.handlers[name] as UntypedHandler | undefined;
  const line = `${endpoint.method} ${endpoint.path}`;
  if (!handler) return refuse(notFound(`Unknown call: ${line}`));
  let authenticated: Authenticated | null = null;
  try {
    authenticated = await authenticate(name, sent);
    const call = await readCall(endpoint, sent, authenticated, options);
    const result = await options.runInTurn(endpoint.method, call, () => handler(call));
    return encode(endpoint, result, authenticated?.nextToken);
  } catch (error) {
    return refuseError(error, line, options, authenticated?.nextToken);
  }
}

/**
 * A sender with nothing but roles is nobody in particular.
 * @throws Refusal 403 to them for a call whose answer depends on more than roles
 */
async function authenticate(name: EndpointName, { sender }: Sent): Promise<Authenticated | null> {
  const found = await sender();
  if (found === null || !("roles" in found)) return found;
  if (!CALLS_BY_ROLE.has(name)) throw new Refusal(403, "This call is answered to accounts only");
  return { principal: { uid: "", identifier: "", roles: found.roles, sessionUid: "" } };
}

async function readCall(
  endpoint: Endpoint,
  sent: Sent,
  authenticated: Authenticated | null,
  options: AnswerOptions,
) {
  const { request: shape } = endpoint;
  const { params, search, headers, origin, clientAddress, clientAgent } = sent;
  const body = await sent.readBody(shape, { ...JSON_LIMITS, ...shape.limits });
  if (shape.authorization === "bearer" && !authenticated) throw unauthorized();
  const named = shape.params?.safeParse(params);
  if (named?.success === false) throw notFound();
  return {
    params: named?.data,
    query: shape.query && parse(shape.query, decodeQuery(search)),
    headers: shape.headers && parse(shape.headers, headers()),
    body: shape.body && parse(shape.body, body),
    principal: authenticated?.principal ?? null,
    origin: options.siteUrl ?? origin,
    clientAddress: clientAddressIn(clientAddress),
    clientAgent: clientAgentIn(clientAgent),
    search,
  };
}

function encode(
  { path, answers }: Endpoint,
  { status, body }: { status: number; body?: unknown },
  nextToken?: string,
): Answered {
  const schema = answers[status];
  const headers = tokenHeader(nextToken);
  if (schema === undefined) throw new Error(`${path} answered undeclared ${status}`);
  if (schema === null) return { status, headers };
  return { status, headers: { ...headers, "cache-control": "no-store" }, body: schema.parse(body) };
}

/** The answer to a call that failed. What is not the caller's fault is logged. */
export function refuseError(
  error: unknown,
  line: string,
  { log }: Pick<AnswerOptions, "log">,
  nextToken?: string,
): Answered {
  if (error instanceof UnconfirmedOrigin) {
    const { origin, remedy } = error;
    log.warn({ line, origin, remedy }, "no link is mailed for an origin that is not confirmed");
  }
  if (error instanceof Refusal) return refuse(error, nextToken);
  if (error instanceof ProviderFailure) {
    log.error({ err: error, line, reason: error.reason }, "the payment provider failed");
    return refuse(providerRefusal(error), nextToken);
  }
  if (error instanceof Error && isDatabaseUnavailable(error)) {
    log.error({ err: error, line }, "the database does not answer");
    const wait = { "retry-after": String(RETRY_SECONDS) };
    return refuse(new Refusal(503, "The database does not answer", [], wait), nextToken);
  }
  log.error({ err: error, line }, "call failed");
  return refuse(new Refusal(500, "Internal error"), nextToken);
}

export function refuse(refusal: Refusal, nextToken?: string): Answered {
  const headers = { "cache-control": "no-store", ...refusal.headers, ...tokenHeader(nextToken) };
  return { status: refusal.status, headers, body: refusal.body() };
}

const tokenHeader = (nextToken?: string): Record<string, string> =>
  nextToken ? { "next-token": nextToken } : {};
