import { DAY_MS } from "~/contract/durations";
import { errorSchema, type Endpoint } from "~/contract/endpoint";
import { BUSY_PROPERTY } from "~/contract/errors";
import type { AnswerBody } from "./carrier";
import {
  BusyError,
  ConflictError,
  ForbiddenError,
  InvalidArgumentError,
  NotFoundError,
  OutOfBoundError,
  PaymentError,
  RateLimitError,
  ResponseValidationError,
  ServerError,
  UnauthorizedError,
  UnexpectedStatusError,
  ValidationError,
  type Failure,
} from "./errors";

/** An answer with its whole body. */
export type Answer = { status: number; retryAfter: string | null; body: AnswerBody };

/**
 * Statuses whose meaning is clear without the API's error body: a proxy in front of the API also sends
 * them, with a page of its own. Any other status counts only with the API's error body.
 */
const CLEAR_WITHOUT_BODY = [401, 403, 413, 429, 500];

/** Turns a failed answer into an error class, whatever the endpoint declares. */
export function errorOf(endpoint: Endpoint, line: string, answer: Answer): Failure {
  const { status } = answer;
  const body = errorSchema(status).safeParse(readJson(answer.body));
  if (body.success && "payload" in body.data) {
    const { message, code, isEarlier } = body.data.payload.error;
    return new PaymentError(line, message, { code, isEarlier });
  }
  const answered = `${line} answered ${status}`;
  const errorBody = body.success && !("payload" in body.data) ? body.data : null;
  const { message, violations = [] } = errorBody ?? { message: answered };
  const failure = failureOf(line, answer, message, violations);
  if (failure === null) {
    const expected = Object.keys(endpoint.answers).map(Number);
    return new UnexpectedStatusError(line, status, expected, waitIn(answer));
  }
  return errorBody || CLEAR_WITHOUT_BODY.includes(status)
    ? failure
    : new ResponseValidationError(line, `${answered} without an error body`, status);
}

/** Null for a status without an error class. */
function failureOf(
  line: string,
  answer: Answer,
  message: string,
  violations: ValidationError["violations"],
): Failure | null {
  switch (answer.status) {
    case 400:
      return violations.length
        ? new ValidationError(line, violations)
        : new InvalidArgumentError(line, message);
    case 401:
      return new UnauthorizedError(line, message);
    case 403:
      return new ForbiddenError(line, message);
    case 404:
      return new NotFoundError(line, message, violations);
    case 409:
      return new ConflictError(line, message, violations);
    case 413:
      return new OutOfBoundError(line, message);
    case 429:
      return violations.some(({ property }) => property === BUSY_PROPERTY)
        ? new BusyError(line, message, waitIn(answer))
        : new RateLimitError(line, message, waitIn(answer));
    case 500:
      return new ServerError(line, message);
    default:
      return null;
  }
}

/** The longest waiting time that is shown. */
const DAY_SECONDS = DAY_MS / 1000;

/**
 * The seconds of `Retry-After`, in either of its forms (RFC 9110, 10.2.3): a second at least, a day at
 * most. Undefined where there is none, or none that can be read.
 */
function waitIn({ retryAfter }: Answer): number | undefined {
  const value = retryAfter?.trim() ?? "";
  const seconds = /^[+-]?\d+$/.test(value) ? Number(value) : secondsUntil(value);
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(1, Math.ceil(seconds)), DAY_SECONDS);
}

/** Returns NaN for an invalid date. */
function secondsUntil(date: string): number {
  if (!/^[A-Z][a-z]{2}/.test(date)) return NaN;
  // A date has three forms. The oldest one names no zone and means UTC.
  const moment = Date.parse(date.endsWith("GMT") ? date : `${date} GMT`);
  return (moment - Date.now()) / 1000;
}

function readJson(body: AnswerBody): unknown {
  if ("value" in body) return body.value;
  try {
    return JSON.parse(body.text);
  } catch {
    // Without an error body the caller throws a `ResponseValidationError`.
    return undefined;
  }
}
