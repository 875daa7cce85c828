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
import { errorOf } from "./translate";

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
  /** Called with the `next-token` header of any answer (R-4.4). */
  onNextToken: (token: string) => void;
  /** Called when an answer to a bearer token is 401; may throw a redirect. */
  onUnauthorized?: () => Promise<void>;
  timeoutMs?: number;
};

const RETRIED = new Set([408, 409, 425, 429, 500, 502, 503, 504]);

type Prepared = { endpoint: Endpoint; line: string; url: string; init: RequestInit };

/** The only door to `/api`: timeout, one retry of reads, both directions checked (R-7.1, 7.2, 5.6). */
export function createApi(options: ApiOptions): Api {
  const call: Api["call"] = async (name, input) => {
    const prepared = prepare(name, input, options);
    const response = await send(prepared, options);
    const nextToken = response.headers.get("next-token");
    if (nextToken) options.onNextToken(nextToken);
    return (await read(prepared, response, options)) as never;
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

function prepare(name: EndpointName, input: object, { base, bearer }: ApiOptions): Prepared {
  const endpoint: Endpoint = endpoints[name];
  const line = `${endpoint.method} ${endpoint.path}`;
  const parts = check(endpoint, line, input);
  const headers = new Headers({ accept: "application/json", ...asTexts(parts.headers) });
  const token = bearer();
  if (token) headers.set("authorization", `Bearer ${token}`);
  if (endpoint.request.body) headers.set("content-type", "application/json");
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, key: string) =>
    encodeURIComponent(asTexts(parts.params)[key] ?? ""),
  );
  const search = encodeQuery(parts.query ?? {}).toString();
  return {
    endpoint,
    line,
    url: `${base}${path}${search && `?${search}`}`,
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

async function send(prepared: Prepared, options: ApiOptions): Promise<Response> {
  const first = await sendOnce(prepared, options);
  const isRead = prepared.endpoint.method === "GET";
  return isRead && RETRIED.has(first.status) ? sendOnce(prepared, options) : first;
}

async function sendOnce({ line, url, init }: Prepared, { transport, timeoutMs }: ApiOptions) {
  const signal = AbortSignal.timeout(timeoutMs ?? REQUEST_TIMEOUT_MS);
  try {
    return await withAbort(transport(new Request(url, { ...init, signal })), signal);
  } catch (error) {
    throw new ProcessError(line, `${line}: no answer`, { cause: error });
  }
}

/** An in-process transport cannot be interrupted: at least its answer is no longer awaited. */
function withAbort<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(new Error("Timeout"));
    signal.addEventListener("abort", abort, { once: true });
    answer.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

async function read({ endpoint, line, init }: Prepared, response: Response, options: ApiOptions) {
  const schema = endpoint.answers[response.status];
  if (schema === null) return null;
  if (schema === undefined) {
    const asSomebody =
      endpoint.request.authorization && new Headers(init.headers).has("authorization");
    if (response.status === 401 && asSomebody) await options.onUnauthorized?.();
    throw await errorOf(endpoint, line, response);
  }
  const body = schema.safeParse(await readBody(line, response));
  if (body.success) return body.data;
  const where = body.error.issues.map(({ path }) => path.join(".")).join(", ");
  throw new ResponseValidationError(line, `${line}: the answer does not fit at ${where}`);
}

async function readBody(line: string, response: Response): Promise<unknown> {
  if (!/\bjson\b/.test(response.headers.get("content-type") ?? "")) {
    throw new ResponseValidationError(line, `${line}: the answer is not JSON`);
  }
  try {
    return await response.json();
  } catch (error) {
    throw new ResponseValidationError(line, `${line}: unreadable JSON`, { cause: error });
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
