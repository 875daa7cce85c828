import type { Violation } from "~/contract/errors";

/** Base of every failed call; `line` names the endpoint, never its values. */
export abstract class ApiError extends Error {
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
  readonly status = 400;
}

export class UnauthorizedError extends ApiError {
  readonly status = 401;
  /** Of support. */
  readonly level = 1;
}

export class ForbiddenError extends ApiError {
  readonly status = 403;
  /** Of support. */
  readonly level = 2;
}

export class NotFoundError extends ApiError {
  readonly status = 404;
}

/** 409; violations may be empty when the conflict is with a state, not a field. */
export class ConflictError extends ApiError {
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
  readonly status = 413;
}

/** 429; `retryAfter` in seconds when the answer told it. */
export class RateLimitError extends ApiError {
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
  readonly status = 500;
}

export class UnexpectedStatusError extends ApiError {
  constructor(
    line: string,
    readonly status: number,
    expected: readonly number[],
  ) {
    super(line, `Response status ${status} not has expected, expected ${expected.join(" or ")}`);
  }
}

/** The request does not fit the contract: a fault of the site, found before it is sent. */
export class RequestValidationError extends ApiError {}

/** The answer does not fit the contract. */
export class ResponseValidationError extends ApiError {}

/** No answer: timeout, connection refused, name not found. */
export class ProcessError extends ApiError {}

/** Answers that an action expects and turns into words; the rest throw. */
export type ExpectedError =
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
  | ProcessError;
