import Stripe from "stripe";
import { ProviderFailure } from "../../ports/payment-gateway";

const RETRY_AFTER_SECONDS = 30;

/** A failed call, without what Stripe's own errors carry: request, customer, card, key. */
export class StripeFailure extends ProviderFailure {
  override readonly name = "StripeFailure";

  constructor(
    /** Kind of failure: the class of Stripe's own error. */
    readonly type: string,
    /** Why, in Stripe's words; of a declined card the bank's reason. */
    readonly code: string | undefined,
    requestId: string | undefined,
  ) {
    const message = `Stripe call failed: ${type} ${code ?? ""} (${requestId ?? "no request id"})`;
    super(message, code ?? type, isPassing(type, code) ? RETRY_AFTER_SECONDS : null);
  }
}

/** Out of reach, too many calls at once, or still at work on the same one. */
const isPassing = (type: string, code: string | undefined) =>
  ["StripeConnectionError", "StripeRateLimitError"].includes(type) ||
  code === "lock_timeout" ||
  code === KEY_IN_USE;

/**
 * The one door for calls to Stripe.
 * @throws StripeFailure
 */
export async function callStripe<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    const { type, code, decline_code, requestId } = error;
    throw new StripeFailure(type, decline_code || code, requestId);
  }
}

export function isDecline(error: unknown): error is StripeFailure {
  return error instanceof StripeFailure && error.type === "StripeCardError";
}

/** The key was used before, for a request that was not the same in all its parts. */
export function isUsedKey(error: unknown): error is StripeFailure {
  return error instanceof StripeFailure && error.type === "StripeIdempotencyError";
}

/** What Stripe says of a key whose first request it is still answering. */
const KEY_IN_USE = "idempotency_key_in_use";

/** The key's first request is still being answered: what comes of it cannot be known yet. */
export function isUnderWay(error: unknown): boolean {
  return error instanceof StripeFailure && error.code === KEY_IN_USE;
}

/** Stripe itself failed; it answers the same key with the same failure for a day. */
export function isServerFault(error: unknown): error is StripeFailure {
  return error instanceof StripeFailure && error.type === "StripeAPIError";
}

/** Stripe has no such object, or not in a state that allows the call. */
export function isInvalid(error: unknown): error is StripeFailure {
  return error instanceof StripeFailure && error.type === "StripeInvalidRequestError";
}

export function isMissing(error: unknown): error is StripeFailure {
  return isInvalid(error) && error.code === "resource_missing";
}
