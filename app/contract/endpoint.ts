import type { z } from "zod/v4";
import { apiError, paymentFailure } from "./errors";

export type Method = "GET" | "POST" | "PUT" | "DELETE";

/** `bearer`: a signed-in person; `support`: `Support-Authorization` or bearer; `none`: anybody. */
export type Authorization = "none" | "bearer" | "support";

/** `depth`: objects and lists within each other; `values`: all that they hold. */
export type JsonLimits = { bytes: number; depth: number; values: number };

type RequestShape = {
  authorization?: Authorization;
  params?: z.ZodObject;
  query?: z.ZodType;
  headers?: z.ZodObject;
  body?: z.ZodType;
  /** Of the body, where they are not the common ones. */
  limits?: Partial<JsonLimits>;
};

type Answers = Record<number, z.ZodType | null>;
export type ErrorStatus = 400 | 401 | 403 | 404 | 409 | 413 | 429 | 500 | 502 | 503;

/**
 * Any call may be malformed, too large, too frequent or break; the others are declared, except 502 and
 * 503: those speak of what stands behind the API, not of the call.
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

/** Schema of an error answer: a refused payment has a form of its own. */
export function errorSchema(status: number) {
  return status === 400 ? apiError.or(paymentFailure) : apiError;
}

function isMethod(text: string | undefined): text is Method {
  return text === "GET" || text === "POST" || text === "PUT" || text === "DELETE";
}
