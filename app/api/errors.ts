import type { Violation } from "~/contract/errors";
import { DEFAULT_WAIT_SECONDS } from "~/contract/limits";

/**
 * Base class of all failed calls. `line` names the endpoint and holds no values. `kind` tells
 * the classes apart: each journey has a text per kind.
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

/** 400 with status Failure: the bank refused the payment. Holds the bank's message and code. */
export class PaymentError extends ApiError {
  readonly kind = "payment";
  readonly status = 400;
  readonly code: string | undefined;
  /** It refused an earlier request with the same key, and this security code was not sent. */
  readonly isEarlier: boolean;
  constructor(
    line: string,
    message: string,
    {
      code,
      isEarlier = false,
    }: { code?: string | undefined; isEarlier?: boolean | undefined } = {},
  ) {
    super(line, message);
    this.code = code;
    this.isEarlier = isEarlier;
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

/** 400 without violations. */
export class InvalidArgumentError extends ApiError {
  readonly kind = "invalidArgument";
  readonly status = 400;
}

export class UnauthorizedError extends ApiError {
  readonly kind = "unauthorized";
  readonly status = 401;
  /** Level of refusal in support. */
  readonly level = 1;
}

export class ForbiddenError extends ApiError {
  readonly kind = "forbidden";
  readonly status = 403;
  /** Level of refusal in support. */
  readonly level = 2;
}

/** 404. A violation names what does not exist; without one, the API may lack the call. */
export class NotFoundError extends ApiError {
  readonly kind = "notFound";
  readonly status = 404;
  constructor(
    line: string,
    message: string,
    readonly violations: Violation[] = [],
  ) {
    super(line, message);
  }
}

/** 409. Without violations the conflict is with a state, not with a field. */
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

/** 429. `retryAfter`: seconds from the answer, bounded (`translate.ts`), if it names them. */
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

/** 429 of a full queue: others ask for much, and this person did not do too much. */
export class BusyError extends ApiError {
  readonly kind = "busy";
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

/** Any status without a class of its own, among them 502, 503 and 504. */
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

/** The request does not fit the contract. This is a fault of the site, found before sending. */
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
  /** Whether the whole time limit was spent waiting. */
  readonly isTimeout: boolean;

  constructor(
    line: string,
    message: string,
    { isTimeout = false, cause }: ErrorOptions & { isTimeout?: boolean } = {},
  ) {
    super(line, message, { cause });
    this.isTimeout = isTimeout;
  }
}

/** All failures of a call. Journeys switch on `kind`, and the compiler checks that none is missing. */
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
  | BusyError
  | ServerError
  | UnexpectedStatusError
  | RequestValidationError
  | ResponseValidationError
  | ProcessError;

/** The check is complete, because every class above belongs to the union. */
export const isFailure = (error: unknown): error is Failure => error instanceof ApiError;

/** Seconds until the same call may be sent again, after a limit or a full queue. Null after any other failure. */
export const waitAfter = (failure: Failure): number | null =>
  failure.kind === "rateLimit" || failure.kind === "busy"
    ? (failure.retryAfter ?? DEFAULT_WAIT_SECONDS)
    : null;

export type BrokenStatus = 502 | 503;

/**
 * The status of a page whose call broke: 503 without an answer, 502 with an answer of no meaning
 * . The API may still have carried the call out. Null for an answer that was understood.
 */
export function brokenStatus(failure: Failure): BrokenStatus | null {
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

/** Whether a read failed: it is certain that this call changed nothing. A preview reads what a write would do. */
export const isOfRead = ({ line }: Failure): boolean =>
  line.startsWith("GET ") || line.endsWith("/preview");
