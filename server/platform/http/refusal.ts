import type { ErrorStatus } from "../../../app/contract/endpoint";
import {
  busyViolation,
  noPaymentViolation,
  type ApiErrorBody,
  type PaymentFailure,
  type Violation,
} from "../../../app/contract/errors";
import { QueueFull } from "../../fair-queue";
import type { ProviderFailure } from "../ports/payment-gateway";

/** An error response: rules and handlers throw it; `serve.ts` sends its status and body. */
export class Refusal extends Error {
  constructor(
    readonly status: ErrorStatus,
    message: string,
    readonly violations: Violation[] = [],
    readonly headers: Record<string, string> = {},
  ) {
    super(message);
  }

  body(): ApiErrorBody | PaymentFailure {
    return this.violations.length
      ? { message: this.message, violations: this.violations }
      : { message: this.message };
  }
}

/** 400 with `status: "Failure"`: the bank refused the payment. */
export class PaymentRefusal extends Refusal {
  constructor(
    message: string,
    readonly code?: string,
    readonly isEarlier = false,
  ) {
    super(400, message);
  }

  override body(): PaymentFailure {
    const error = {
      message: this.message,
      ...(this.code && { code: this.code }),
      ...(this.isEarlier && { isEarlier: true }),
    };
    return { payload: { status: "Failure", error } };
  }
}

/** 400: a mail with a secret would link to an origin that the site's owner has not confirmed. */
export class UnconfirmedOrigin extends Refusal {
  constructor(
    readonly origin: string,
    /** What the site's owner can do, for the log. */
    readonly remedy: string,
  ) {
    super(400, "No links are mailed for this address of the site: it is not confirmed");
  }
}

/** The provider decided nothing: 503 when a retry may soon succeed, otherwise 502. */
export const providerRefusal = ({ retryAfterSeconds: seconds }: ProviderFailure) =>
  seconds === null
    ? new Refusal(502, "The payment provider failed")
    : new Refusal(503, "The payment provider does not answer", [], {
        "retry-after": String(seconds),
      });

const QUEUE_RETRY_SECONDS = "2";

/** 429 for what found no place in a queue, marked so that nobody is told of too many attempts; else the same error. */
export const queueRefusal = (error: unknown) =>
  error instanceof QueueFull
    ? new Refusal(429, error.message, [busyViolation(error.message)], {
        "retry-after": QUEUE_RETRY_SECONDS,
      })
    : error;

export const notFound = (message = "Not found") => new Refusal(404, message);

/** 404 of an account without payments. An API without the call answers 404 too, but cannot name this. */
export const noPayment = () => {
  const message = "The account has no payment";
  return new Refusal(404, message, [noPaymentViolation(message)]);
};

export const unauthorized = (message = "Unauthorized") => new Refusal(401, message);

/** 409: what stands in the way is named as a property, so that a page can tell a person what it is. */
export const conflict = (
  property: "idempotencyKey" | "subscription" | "payment" | "status" | "version" | "consent",
  message: string,
) =>
  new Refusal(409, message, [
    { property, message, type: property === "idempotencyKey" ? "duplicate" : "invalid" },
  ]);

export const keyUsedOtherwise = () =>
  conflict("idempotencyKey", "This idempotency key was used for something else");

export const invalid = (property: string, message: string) =>
  new Refusal(400, "Validation failed", [{ property, message, type: "invalid" }]);

export const missing = (property: string, message: string) =>
  new Refusal(400, "Validation failed", [{ property, message, type: "missing" }]);
