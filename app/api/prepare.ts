import type { z } from "zod/v4";
import { CLIENT_ADDRESS, CLIENT_AGENT } from "~/contract/client-headers";
import type { Endpoint } from "~/contract/endpoint";
import { endpoints, type EndpointName, type Endpoints } from "~/contract/endpoints";
import { VIOLATIONS_TOLD } from "~/contract/limits";
import { RequestValidationError } from "./errors";
import { encodeQuery } from "./query";

type Parts<R> = {
  [
    P in keyof R as P extends "params" | "query" | "headers" | "body" ? P : never
  ]: R[P] extends z.ZodType ? z.input<R[P]> : never;
};

export type Input<N extends EndpointName> = Parts<Endpoints[N]["request"]>;

/** One call, checked, with texts in all places but the body. */
export type Prepared = {
  name: EndpointName;
  endpoint: Endpoint;
  line: string;
  params: Record<string, string>;
  search: URLSearchParams;
  /** Names in lower case. */
  headers: Record<string, string>;
  /** JSON; undefined where the contract has none. */
  body: unknown;
};

/** On whose behalf calls are made. */
export type Sender = {
  /** `Contact <credential>`: opens tickets without a session. */
  supportAuthorization?: string | undefined;
  /** The visitor's network address, by which limits count. */
  clientAddress?: string | undefined;
  /** User agent of the visitor's browser. It becomes the device name of a session. */
  clientAgent?: string | undefined;
};

/**
 * Checks one call.
 * @throws RequestValidationError when the input does not fit the contract, before sending, or has
 * fields that it does not know
 */
export function prepare(name: EndpointName, input: object, sender: Sender): Prepared {
  const endpoint: Endpoint = endpoints[name];
  const line = `${endpoint.method} ${endpoint.path}`;
  const parts = check(endpoint, line, input);
  const headers = toTexts(parts.headers);
  const { supportAuthorization, clientAddress, clientAgent } = sender;
  const credential: unknown = endpoint.request.headers?.shape["support-authorization"];
  if (credential && supportAuthorization) headers["support-authorization"] = supportAuthorization;
  if (clientAddress) headers[CLIENT_ADDRESS] = clientAddress;
  if (clientAgent) headers[CLIENT_AGENT] = clientAgent;
  return {
    name,
    endpoint,
    line,
    params: toTexts(parts.params),
    search: encodeQuery(parts.query ?? {}),
    headers,
    body: endpoint.request.body && parts.body,
  };
}

type CheckedParts = Partial<
  Record<"params" | "query" | "headers" | "body", Record<string, unknown>>
>;

/** Checks the input against the contract. The input itself is sent, without the schema's changes. */
function check({ request }: Endpoint, line: string, input: object): CheckedParts {
  const parts: CheckedParts = input;
  for (const part of ["params", "query", "headers", "body"] as const) {
    const paths = misfits(request[part], parts[part], part);
    if (paths.length > 0) {
      const places = paths.slice(0, VIOLATIONS_TOLD).join(", ");
      throw new RequestValidationError(line, `${line}: the request does not fit at ${places}`);
    }
  }
  return parts;
}

function misfits(schema: z.ZodType | undefined, given: unknown, part: string): string[] {
  if (!schema) return unknownFields(given, {}, part);
  const result = schema.safeParse(given);
  if (result.success) return unknownFields(given, result.data, part);
  return result.error.issues.map(({ path }) => [part, ...path].join("."));
}

/**
 * The fields that a schema has left out. The other side leaves them out as well: what a person typed
 * into a field that was forgotten in the contract would be lost, and nobody would be told.
 */
function unknownFields(given: unknown, known: unknown, at: string): string[] {
  if (!isObject(given) || !isObject(known)) return [];
  return Object.entries(given).flatMap(([name, value]) => {
    if (value === undefined) return [];
    const path = `${at}.${name}`;
    return Object.hasOwn(known, name) ? unknownFields(value, known[name], path) : [path];
  });
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

function toTexts(values: Record<string, unknown> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, String(value)]));
}
