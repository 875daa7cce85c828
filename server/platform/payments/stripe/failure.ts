import Stripe from "stripe";
import { ProviderFailure } from "../../ports/payment-gateway";

const RETRY_AFTER_SECONDS = 30;

/** A failed call, without the data in Stripe's errors: request, customer, card, key. */
export class StripeFailure extends ProviderFailure {
  override readonly name = "StripeFailure";

  constructor(
    /** The class of Stripe's error. */
    readonly type: string,
    /** Stripe's code, or the bank's reason for a declined card. */
    readonly code: string | undefined,
    requestId: string | undefined,
    /** The parameter that Stripe refuses. */
    readonly param?: string,
    /** The bank's advice after a declined card. */
    readonly advice?: string,
  ) {
    const message = `Stripe call failed: ${type} ${code ?? ""} (${requestId ?? "no request id"})`;
    super(message, code ?? type, isTemporary(type, code) ? RETRY_AFTER_SECONDS : null);
  }
}

/** True for failures that pass: no connection, too many calls, or the same call still running. */
const isTemporary = (type: string, code: string | undefined) =>
  ["StripeConnectionError", "StripeRateLimitError"].includes(type) ||
  code === "lock_timeout" ||
  code === KEY_IN_USE;

/**
 * Awaits a call to Stripe; all calls go through here.
 * @throws StripeFailure
 */
export async function callStripe<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    const { type, code, decline_code, requestId, param, advice_code } = error;
    throw new StripeFailure(type, decline_code || code, requestId, param, advice_code);
  }
}

export function isDecline(error: unknown): error is StripeFailure {
  return error instanceof StripeFailure && error.type === "StripeCardError";
}

/** True when the idempotency key was used for a different request. */
export function isUsedKey(error: unknown): error is StripeFailure {
  return error instanceof StripeFailure && error.type === "StripeIdempotencyError";
}

/** Stripe's code when the first request with an idempotency key is still running. */
const KEY_IN_USE = "idempotency_key_in_use";

/** True while the first request with the key is running, so that its outcome is unknown. */
export function isStillRunning(error: unknown): boolean {
  return error instanceof StripeFailure && error.code === KEY_IN_USE;
}

/** Type, and reason without a code, of a failure of Stripe itself. */
export const SERVER_FAULT = "StripeAPIError";

/** True when Stripe itself failed; it repeats the failure for the same key for a day. */
export function isServerFault(error: unknown): error is StripeFailure {
  return error instanceof StripeFailure && error.type === SERVER_FAULT;
}

/** True when Stripe does not accept the key (401), or the key lacks the right for the call (403). */
export function isKeyRefused(error: unknown): error is StripeFailure {
  return (
    error instanceof StripeFailure &&
    ["StripeAuthenticationError", "StripePermissionError"].includes(error.type)
  );
}

/** True when Stripe has no such object, or its state does not allow the call. */
export function isInvalid(error: unknown): error is StripeFailure {
  return error instanceof StripeFailure && error.type === "StripeInvalidRequestError";
}

export function isMissing(error: unknown): error is StripeFailure {
  return isInvalid(error) && error.code === "resource_missing";
}
