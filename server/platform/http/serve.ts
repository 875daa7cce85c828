import { Hono } from "hono";
import type { Roles } from "../../../app/contract/accounts";
import type { Endpoint } from "../../../app/contract/endpoint";
import { endpoints, type EndpointName } from "../../../app/contract/endpoints";
import { JSON_LIMITS } from "../../../app/contract/limits";
import type { Log } from "../ports/log";
import { ProviderFailure } from "../ports/payment-gateway";
import { clientAddressOf } from "./client-address";
import { clientAgentOf } from "./client-agent";
import { decodeQuery, parse, readBody, readJson } from "./decode";
import { notFound, providerRefusal, Refusal, unauthorized, UnconfirmedOrigin } from "./refusal";
import { CALLS_BY_ROLE, type Authenticate, type Authenticated, type Handlers } from "./types";

type Options = {
  handlers: Handlers;
  authenticate: Authenticate;
  /** The configured public origin; without it the origin of the request is used. */
  siteUrl?: string | undefined;
  log: Log;
};

/** `roles`: the call comes from this process, for all people who have these roles. */
type ServeEnv = { Bindings: { roles?: Roles } };

type UntypedHandler = (call: object) => Promise<{ status: number; body?: unknown }>;

/** Routes each endpoint of the contract to its handler; request and response are validated. */
export function serveApi(options: Options): Hono<ServeEnv> {
  const app = new Hono<ServeEnv>();
  for (const name of Object.keys(options.handlers)) {
    if (!isEndpoint(name)) continue;
    const endpoint: Endpoint = endpoints[name];
    // The cast is safe: `readCall` parses the input, and `encode` the result, with this endpoint's schemas.
    const handler = options.handlers[name] as UntypedHandler;
    const path = `/api${endpoint.path.replace(/\{(\w+)\}/g, ":$1")}`;
    app.on(endpoint.method, path, (context) => {
      const { raw } = context.req;
      const { roles } = context.env;
      const authenticated = async () =>
        roles ? authenticateRoles(name, roles) : authenticateRequest(raw, options.authenticate);
      return answer(endpoint, handler, raw, context.req.param(), { ...options, authenticated });
    });
  }
  app.notFound((context) =>
    refuse(notFound(`Unknown call: ${context.req.method} ${context.req.path}`)),
  );
  app.onError((error, context) =>
    refuseError(error, `${context.req.method} ${context.req.path}`, options),
  );
  return app;
}

async function answer(
  endpoint: Endpoint,
  handler: UntypedHandler,
  request: Request,
  params: Record<string, string>,
  options: Options & { authenticated: () => Promise<Authenticated | null> },
): Promise<Response> {
  const line = `${endpoint.method} ${endpoint.path}`;
  let authenticated: Authenticated | null = null;
  try {
    authenticated = await options.authenticated();
    const call = await readCall(endpoint, request, params, authenticated, options);
    const result = await handler(call);
    return encode(endpoint, result, authenticated?.nextToken);
  } catch (error) {
    return refuseError(error, line, options, authenticated?.nextToken);
  }
}

async function authenticateRequest(request: Request, authenticate: Authenticate) {
  const bearer = /^Bearer (\S+)$/i.exec(request.headers.get("authorization") ?? "");
  return bearer?.[1] ? authenticate(bearer[1]) : null;
}

/**
 * Everybody with these roles, and nobody in particular.
 * @throws Refusal 403 for a call whose answer depends on more than roles
 */
function authenticateRoles(name: EndpointName, roles: Roles): Authenticated {
  if (!CALLS_BY_ROLE.has(name)) throw new Refusal(403, "This call is answered to accounts only");
  return { principal: { uid: "", identifier: "", roles, sessionUid: "" } };
}

async function readCall(
  endpoint: Endpoint,
  request: Request,
  params: Record<string, string>,
  authenticated: Authenticated | null,
  options: Options,
) {
  const { request: shape } = endpoint;
  const url = new URL(request.url);
  const limits = { ...JSON_LIMITS, ...shape.limits };
  const body = shape.body
    ? await readJson(request, limits)
    : void (await readBody(request, limits.bytes));
  if (shape.authorization === "bearer" && !authenticated) throw unauthorized();
  if (shape.params && !shape.params.safeParse(params).success) throw notFound();
  return {
    params: shape.params?.parse(params),
    query: shape.query && parse(shape.query, decodeQuery(url.searchParams)),
    headers: shape.headers && parse(shape.headers, Object.fromEntries(request.headers)),
    body: shape.body && parse(shape.body, body),
    principal: authenticated?.principal ?? null,
    origin: options.siteUrl ?? url.origin,
    clientAddress: clientAddressOf(request),
    clientAgent: clientAgentOf(request),
    request,
  };
}

function encode(
  endpoint: Endpoint,
  result: { status: number; body?: unknown },
  nextToken?: string,
) {
  const schema = endpoint.answers[result.status];
  const headers = new Headers(nextToken ? { "next-token": nextToken } : {});
  if (schema === undefined)
    throw new Error(`${endpoint.path} answered undeclared ${result.status}`);
  if (schema === null) return new Response(null, { status: result.status, headers });
  headers.set("cache-control", "no-store");
  return Response.json(schema.parse(result.body), { status: result.status, headers });
}

function refuseError(error: unknown, line: string, { log }: Options, nextToken?: string) {
  if (error instanceof UnconfirmedOrigin) {
    const { origin, remedy } = error;
    log.warn({ line, origin, remedy }, "no link is mailed for an origin that is not confirmed");
  }
  if (error instanceof Refusal) return refuse(error, nextToken);
  if (error instanceof ProviderFailure) {
    log.error({ err: error, line, reason: error.reason }, "the payment provider failed");
    return refuse(providerRefusal(error), nextToken);
  }
  log.error({ err: error, line }, "call failed");
  return refuse(new Refusal(500, "Internal error"), nextToken);
}

function refuse(refusal: Refusal, nextToken?: string) {
  const headers = new Headers({ "cache-control": "no-store", ...refusal.headers });
  if (nextToken) headers.set("next-token", nextToken);
  return Response.json(refusal.body(), { status: refusal.status, headers });
}

function isEndpoint(name: string): name is EndpointName {
  return name in endpoints;
}
