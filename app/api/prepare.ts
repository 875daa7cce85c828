import type { z } from "zod/v4";
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

/** Headers for the platform. The site replaces values that a browser sends. */
export const CLIENT_ADDRESS = "x-client-address";
export const CLIENT_AGENT = "x-client-agent";

export type Prepared = { endpoint: Endpoint; line: string; url: string; init: RequestInit };

/** Where requests go, and on whose behalf. */
export type Sender = {
  /** `https://host/api`, without a final slash. */
  base: string;
  /** `Contact <credential>`: opens tickets without a session (R-6.2). */
  supportAuthorization?: string | undefined;
  /** The visitor's network address, by which limits count (R-10.12). */
  clientAddress?: string | undefined;
  /** User agent of the visitor's browser. It becomes the device name of a session. */
  clientAgent?: string | undefined;
};

/**
 * Builds the request of one call.
 * @throws RequestValidationError when the input does not fit the contract, before sending (R-5.6)
 */
export function prepare(name: EndpointName, input: object, options: Sender): Prepared {
  const endpoint: Endpoint = endpoints[name];
  const line = `${endpoint.method} ${endpoint.path}`;
  const parts = check(endpoint, line, input);
  const headers = new Headers({ accept: "application/json", ...toTexts(parts.headers) });
  if (endpoint.request.body) headers.set("content-type", "application/json");
  const credential: unknown = endpoint.request.headers?.shape["support-authorization"];
  if (credential && options.supportAuthorization) {
    headers.set("support-authorization", options.supportAuthorization);
  }
  if (options.clientAddress) headers.set(CLIENT_ADDRESS, options.clientAddress);
  if (options.clientAgent) headers.set(CLIENT_AGENT, options.clientAgent);
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, key: string) =>
    encodeURIComponent(toTexts(parts.params)[key] ?? ""),
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

/** Checks the input against the contract. The input itself is sent, without the schema's changes. */
function check({ request }: Endpoint, line: string, input: object): CheckedParts {
  const parts: CheckedParts = input;
  for (const part of ["params", "query", "headers", "body"] as const) {
    const result = request[part]?.safeParse(parts[part]);
    if (result && !result.success) {
      const issues = result.error.issues.slice(0, VIOLATIONS_TOLD);
      const paths = issues.map(({ path }) => [part, ...path].join(".")).join(", ");
      throw new RequestValidationError(line, `${line}: the request does not fit at ${paths}`);
    }
  }
  return parts;
}

function toTexts(values: Record<string, unknown> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, String(value)]));
}
