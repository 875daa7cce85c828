import type { Violation } from "~/contract/errors";

/**
 * Base of every failed call; `line` names the endpoint, never its values. By its `kind` each
 * journey finds its words.
 */
export abstract class ApiError extends Error {
  abstract readonly kind: string;

  constructor(
    readonly line: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = this.constructor.name;
  }
}

/** 400 with status Failure: the bank refused, with its message and code. */
export class PaymentError extends ApiError {
  readonly kind = "payment";
  readonly status = 400;
  constructor(
    line: string,
    message: string,
    readonly code: string | undefined,
  ) {
    super(line, message);
  }
}

/** 400 with violations. */
export class ValidationError extends ApiError {
  readonly kind = "validation";
  readonly status = 400;
  constructor(
    line: string,
    readonly violations: Violation[],
  ) {
    super(line, "Validation failed by backend");
  }
}

/** Other 400. */
export class InvalidArgumentError extends ApiError {
  readonly kind = "invalidArgument";
  readonly status = 400;
}

export class UnauthorizedError extends ApiError {
  readonly kind = "unauthorized";
  readonly status = 401;
  /** Of support. */
  readonly level = 1;
}

export class ForbiddenError extends ApiError {
  readonly kind = "forbidden";
  readonly status = 403;
  /** Of support. */
  readonly level = 2;
}

export class NotFoundError extends ApiError {
  readonly kind = "notFound";
  readonly status = 404;
}

/** 409; violations may be empty when the conflict is with a state, not a field. */
export class ConflictError extends ApiError {
  readonly kind = "conflict";
  readonly status = 409;
  constructor(
    line: string,
    message: string,
    readonly violations: Violation[],
  ) {
    super(line, violations.length ? "Conflict in request" : message);
  }
}

/** 413: the payload is too large. */
export class OutOfBoundError extends ApiError {
  readonly kind = "outOfBound";
  readonly status = 413;
}

/** 429; `retryAfter` in seconds when the answer told it, bounded (`translate.ts`). */
export class RateLimitError extends ApiError {
  readonly kind = "rateLimit";
  readonly status = 429;
  constructor(
    line: string,
    message: string,
    readonly retryAfter: number | undefined,
  ) {
    super(line, message);
  }
}

export class ServerError extends ApiError {
  readonly kind = "server";
  readonly status = 500;
}

/** Also 502, 503 and 504: no class of the catalogue. */
export class UnexpectedStatusError extends ApiError {
  readonly kind = "unexpectedStatus";
  constructor(
    line: string,
    readonly status: number,
    expected: readonly number[],
    readonly retryAfter?: number,
  ) {
    super(line, `Response status ${status} not has expected, expected ${expected.join(" or ")}`);
  }
}

/** The request does not fit the contract: a fault of the site, found before it is sent. */
export class RequestValidationError extends ApiError {
  readonly kind = "requestValidation";
}

/** The answer does not fit the contract; `status` of one that is a failure without the API's error body. */
export class ResponseValidationError extends ApiError {
  readonly kind = "responseValidation";
  constructor(
    line: string,
    message: string,
    readonly status?: number,
  ) {
    super(line, message);
  }
}

/** No answer: timeout, connection refused, name not found. */
export class ProcessError extends ApiError {
  readonly kind = "process";
}

/** What a call can fail with: each journey matches it by its `kind`, exhaustively. */
export type Failure =
  | PaymentError
  | ValidationError
  | InvalidArgumentError
  | UnauthorizedError
  | ForbiddenError
  | NotFoundError
  | ConflictError
  | OutOfBoundError
  | RateLimitError
  | ServerError
  | UnexpectedStatusError
  | RequestValidationError
  | ResponseValidationError
  | ProcessError;

/**
 * The status of a page whose call broke, with no answer that means anything: 503 where nobody answered,
 * otherwise 502. Such a call may have been carried out. Null for an answer that was understood.
 */
export function brokenStatus(failure: Failure): 502 | 503 | null {
  switch (failure.kind) {
    case "process":
      return 503;
    case "unexpectedStatus":
      return failure.status === 503 ? 503 : 502;
    case "server":
    case "responseValidation":
      return 502;
    default:
      return null;
  }
}

/**
 * Whether the API may not know such a call at all: no such path, in whatever words, no such method, or
 * neither. The API's own "not found" of what was asked for looks the same.
 */
export const isUnknownCall = (failure: Failure): boolean =>
  "status" in failure && failure.status !== undefined && OF_UNKNOWN_CALLS.has(failure.status);

const OF_UNKNOWN_CALLS: ReadonlySet<number> = new Set([404, 405, 501]);
