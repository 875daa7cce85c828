import { errorSchema, type Endpoint } from "~/contract/endpoint";
import {
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
  type ApiError,
} from "./errors";

/** An answer read to its end. */
export type Answer = { status: number; headers: Headers; text: string };

/** The one translator of failed answers into errors. */
export function errorOf(endpoint: Endpoint, line: string, answer: Answer): ApiError {
  const { status } = answer;
  // What stands behind the API is away, or fails: nothing that a call declares.
  if (status === 502 || status === 503) return new ServerError(line, `${line} answered ${status}`);
  if (!endpoint.errors.some((declared) => declared === status)) {
    return new UnexpectedStatusError(line, status, Object.keys(endpoint.answers).map(Number));
  }
  const body = errorSchema(status).safeParse(readJson(answer));
  if (!body.success) {
    return new ResponseValidationError(line, `${line} answered ${status} without an error body`);
  }
  if ("payload" in body.data) {
    const { message, code } = body.data.payload.error;
    return new PaymentError(line, message, code);
  }
  const { message, violations = [] } = body.data;
  return declaredError(line, answer, message, violations);
}

function declaredError(
  line: string,
  { status, headers }: Answer,
  message: string,
  violations: ValidationError["violations"],
): ApiError {
  switch (status) {
    case 400:
      return violations.length
        ? new ValidationError(line, violations)
        : new InvalidArgumentError(line, message);
    case 401:
      return new UnauthorizedError(line, message);
    case 403:
      return new ForbiddenError(line, message);
    case 404:
      return new NotFoundError(line, message);
    case 409:
      return new ConflictError(line, message, violations);
    case 413:
      return new OutOfBoundError(line, message);
    case 429:
      return new RateLimitError(line, message, Number(headers.get("retry-after")) || undefined);
    default:
      return new ServerError(line, message);
  }
}

function readJson({ text }: Answer): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
