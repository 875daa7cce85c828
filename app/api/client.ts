import type { z } from "zod/v4";
import type { Endpoint } from "~/contract/endpoint";
import { endpoints, type EndpointName, type Endpoints } from "~/contract/endpoints";
import { REQUEST_TIMEOUT_MS } from "~/contract/limits";
import {
  ApiError,
  ProcessError,
  RequestValidationError,
  ResponseValidationError,
  UnexpectedStatusError,
  type ExpectedError,
} from "./errors";
import { encodeQuery } from "./query";
import { errorOf, type Answer } from "./translate";

/** Carries one request to the API: in process or over HTTP. */
export type Transport = (request: Request) => Promise<Response>;

type Parts<R> = {
  [
    P in keyof R as P extends "params" | "query" | "headers" | "body" ? P : never
  ]: R[P] extends z.ZodType ? z.input<R[P]> : never;
};

export type Input<N extends EndpointName> = Parts<Endpoints[N]["request"]>;

type BodyOf<S> = S extends z.ZodType ? z.output<S> : null;
type Bodies<E> =
  E extends Endpoint<infer _R, infer A> ? { [S in keyof A]: BodyOf<A[S]> }[keyof A] : never;

/** The checked body of a successful answer. */
export type Success<N extends EndpointName> = Bodies<Endpoints[N]>;

export type Outcome<N extends EndpointName> =
  { ok: true; value: Success<N> } | { ok: false; error: ExpectedError };

export type Api = {
  /** @throws ApiError for any answer but success */
  call: <N extends EndpointName>(name: N, input: Input<N>) => Promise<Success<N>>;
  /** Errors an action answers come as a value; a broken contract still throws. */
  attempt: <N extends EndpointName>(name: N, input: Input<N>) => Promise<Outcome<N>>;
};

export type ApiOptions = {
  transport: Transport;
  /** `https://host/api`, without a final slash. */
  base: string;
  /** Bearer token of now: read at each call, as an earlier one may have renewed it. */
  bearer: () => string | undefined;
  /** `Contact <credential>`: who reads tickets without a session (R-6.2). */
  supportAuthorization?: string | undefined;
  /** Called with the `next-token` header of any answer, also of one that is retried (R-4.4). */
  onNextToken: (token: string) => void | Promise<void>;
  /** Called when an answer to a bearer token is 401; may throw a redirect. */
  onUnauthorized?: () => Promise<void>;
  /** The same for 403; the session knows by then what `next-token` says of the roles. */
  onForbidden?: () => Promise<void>;
  /** Whose call it is: limits count by it (R-10.12). */
  clientAddress?: string | undefined;
  /** What their browser calls itself: names the device of a session. */
  clientAgent?: string | undefined;
  timeoutMs?: number;
};

/** Read by the platform only; what a browser sends there is written over. */
export const CLIENT_ADDRESS = "x-client-address";
export const CLIENT_AGENT = "x-client-agent";

const RETRIED = new Set([408, 409, 425, 429, 500, 502, 503, 504]);

type Prepared = { endpoint: Endpoint; line: string; url: string; init: RequestInit };

/** The only door to `/api`: timeout, one retry of reads, both directions checked (R-7.1, 7.2, 5.6). */
export function createApi(options: ApiOptions): Api {
  const call: Api["call"] = async (name, input) => {
    const prepared = prepare(name, input, options);
    return (await read(prepared, await send(prepared, options), options)) as never;
  };
  return {
    call,
    async attempt(name, input) {
      try {
        return { ok: true, value: await call(name, input) };
      } catch (error) {
        if (isExpected(error)) return { ok: false, error };
        throw error;
      }
    },
  };
}

function prepare(name: EndpointName, input: object, options: ApiOptions): Prepared {
  const endpoint: Endpoint = endpoints[name];
  const line = `${endpoint.method} ${endpoint.path}`;
  const parts = check(endpoint, line, input);
  const headers = new Headers({ accept: "application/json", ...asTexts(parts.headers) });
  if (endpoint.request.body) headers.set("content-type", "application/json");
  const credential: unknown = endpoint.request.headers?.shape["support-authorization"];
  if (credential && options.supportAuthorization) {
    headers.set("support-authorization", options.supportAuthorization);
  }
  if (options.clientAddress) headers.set(CLIENT_ADDRESS, options.clientAddress);
  if (options.clientAgent) headers.set(CLIENT_AGENT, options.clientAgent);
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, key: string) =>
    encodeURIComponent(asTexts(parts.params)[key] ?? ""),
  );
  const search = encodeQuery(parts.query ?? {}).toString();
  return {
    endpoint,
    line,
    url: `${options.base}${path}${search && `?${search}`}`,
    init: {
      method: endpoint.method,
      headers,
      redirect: "follow",
      ...(endpoint.request.body && { body: JSON.stringify(parts.body) }),
    },
  };
}

type CheckedParts = Partial<
  Record<"params" | "query" | "headers" | "body", Record<string, unknown>>
>;

/** Refuses what does not fit the contract; sends what was given, not what a schema made of it. */
function check({ request }: Endpoint, line: string, input: object): CheckedParts {
  const parts: CheckedParts = input;
  for (const part of ["params", "query", "headers", "body"] as const) {
    const result = request[part]?.safeParse(parts[part]);
    if (result && !result.success) {
      const where = result.error.issues.map(({ path }) => [part, ...path].join(".")).join(", ");
      throw new RequestValidationError(line, `${line}: the request does not fit at ${where}`);
    }
  }
  return parts;
}

/** An answer and whether it was given to somebody. */
type Sent = { answer: Answer; asSomebody: boolean };

async function send(prepared: Prepared, options: ApiOptions): Promise<Sent> {
  const first = await sendOnce(prepared, options);
  const isRead = prepared.endpoint.method === "GET";
  return isRead && RETRIED.has(first.answer.status) ? sendOnce(prepared, options) : first;
}

/** Reads the body to its end, needed or not: within the time limit, and freeing its connection. */
async function sendOnce({ line, url, init }: Prepared, options: ApiOptions): Promise<Sent> {
  const { transport, bearer, onNextToken, timeoutMs = REQUEST_TIMEOUT_MS } = options;
  const signal = AbortSignal.timeout(timeoutMs);
  const headers = new Headers(init.headers);
  const token = bearer();
  if (token) headers.set("authorization", `Bearer ${token}`);
  const request = () => new Request(url, { ...init, headers, signal });
  const response = await inTime(line, signal, async () => transport(request()));
  const nextToken = response.headers.get("next-token");
  if (nextToken) await onNextToken(nextToken);
  const text = await inTime(line, signal, () => response.text());
  const answer = { status: response.status, headers: response.headers, text };
  return { answer, asSomebody: !!token };
}

/** An in-process transport cannot be interrupted: at least its answer is no longer awaited. */
async function inTime<T>(line: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  try {
    return await new Promise<T>((resolve, reject) => {
      const abort = () => reject(new Error("Timeout"));
      if (signal.aborted) return abort();
      signal.addEventListener("abort", abort, { once: true });
      work()
        .then(resolve, reject)
        .finally(() => signal.removeEventListener("abort", abort));
    });
  } catch (error) {
    throw new ProcessError(line, `${line}: no answer`, { cause: error });
  }
}

async function read({ endpoint, line }: Prepared, sent: Sent, options: ApiOptions) {
  const { answer, asSomebody } = sent;
  const schema = endpoint.answers[answer.status];
  if (schema === null) return null;
  if (schema === undefined) {
    if (asSomebody && endpoint.request.authorization) await tell(answer.status, options);
    throw errorOf(endpoint, line, answer);
  }
  const body = schema.safeParse(readBody(line, answer));
  if (body.success) return body.data;
  const where = body.error.issues.map(({ path }) => path.join(".")).join(", ");
  throw new ResponseValidationError(line, `${line}: the answer does not fit at ${where}`);
}

async function tell(status: number, { onUnauthorized, onForbidden }: ApiOptions) {
  if (status === 401) await onUnauthorized?.();
  if (status === 403) await onForbidden?.();
}

function readBody(line: string, { headers, text }: Answer): unknown {
  if (!/\bjson\b/.test(headers.get("content-type") ?? "")) {
    throw new ResponseValidationError(line, `${line}: the answer is not JSON`);
  }
  try {
    return JSON.parse(text);
  } catch {
    // Without its cause: the message of a SyntaxError quotes the body.
    throw new ResponseValidationError(line, `${line}: unreadable JSON`);
  }
}

function isExpected(error: unknown): error is ExpectedError {
  return (
    error instanceof ApiError &&
    !(error instanceof RequestValidationError) &&
    !(error instanceof ResponseValidationError) &&
    !(error instanceof UnexpectedStatusError)
  );
}

function asTexts(values: Record<string, unknown> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, String(value)]));
}
