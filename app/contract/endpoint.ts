import type { z } from "zod/v4";
import { apiError, paymentFailure } from "./errors";

export type Method = "GET" | "POST" | "PUT" | "DELETE";

/**
 * `bearer`: needs a bearer token. `support`: needs `Support-Authorization` or a bearer token.
 * `none`: open to all.
 */
export type Authorization = "none" | "bearer" | "support";

/**
 * `depth`: how far objects and lists may be nested. `values`: how many values there may be in all.
 */
export type JsonLimits = { bytes: number; depth: number; values: number };

type RequestShape = {
  authorization?: Authorization;
  params?: z.ZodObject;
  query?: z.ZodType;
  headers?: z.ZodObject;
  body?: z.ZodType;
  /** Limits of the body, where they differ from `JSON_LIMITS`. */
  limits?: Partial<JsonLimits>;
};

type Answers = Record<number, z.ZodType | null>;
export type ErrorStatus = 400 | 401 | 403 | 404 | 409 | 413 | 429 | 500 | 502 | 503;

/**
 * Every call may answer these. Endpoints declare all other statuses except 502 and 503, which report
 * a failure behind the API (database, payment provider).
 */
export const COMMON_ERRORS = [400, 413, 429, 500] as const;

export type Endpoint<R extends RequestShape = RequestShape, A extends Answers = Answers> = {
  method: Method;
  /** Below `/api`, with `{name}` for parameters. */
  path: string;
  request: R;
  /** Schema per success status; `null` where there is no body. */
  answers: A;
  errors: readonly ErrorStatus[];
  /** An external API may lack the call: the site works without it. */
  isOptional?: boolean;
};

export function endpoint<R extends RequestShape, A extends Answers>(
  line: `${Method} /${string}`,
  request: R,
  answers: A,
  errors: readonly ErrorStatus[] = [],
): Endpoint<R, A> {
  const [method, path] = line.split(" ");
  if (!isMethod(method) || !path) throw new Error(`Not a request line: ${line}`);
  return { method, path, request, answers, errors: [...COMMON_ERRORS, ...errors] };
}

export const optional = <E extends Endpoint>(endpoint: E) => ({
  ...endpoint,
  isOptional: true as const,
});

/** Schema of an error answer. A refused payment has a shape of its own. */
export function errorSchema(status: number) {
  return status === 400 ? apiError.or(paymentFailure) : apiError;
}

function isMethod(text: string | undefined): text is Method {
  return text === "GET" || text === "POST" || text === "PUT" || text === "DELETE";
}
