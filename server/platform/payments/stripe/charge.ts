import type { ChargeRequest, PaymentDecision } from "../../ports/payment-gateway";
import { readCardReference } from "./card";
import { decisionOf, refused } from "./decision";
import { callStripe, isDecline, isInvalid, type StripeFailure } from "./failure";
import { findIntent } from "./lookup";
import type { StripeContext } from "./context";

/** Tells payments without the person from those on a page, which answer for themselves. */
export const CHARGE = "charge";

/** Our codes of a refusal: this provider has no such card, or has it no more. */
const UNKNOWN_CARD = "unknown_card";
/** It does not take this charge as it was asked for. */
const INVALID_REQUEST = "invalid_request";

/** Codes of a 400 that speak of the shop's account or key, not of the charge. */
const CODES_OF_THE_SHOP = [
  "account_closed",
  "account_invalid",
  "api_key_expired",
  "livemode_mismatch",
  "lock_timeout",
  "platform_account_required",
  "platform_api_key_expired",
  "rate_limit",
  "secret_key_required",
  "testmode_charges_only",
  "tls_version_unsupported",
];

/**
 * Charges a stored card without the person. The idempotency key keeps a repeated call from charging
 * twice for a day; after that, the first one is found.
 */
export async function charge(
  context: StripeContext,
  request: ChargeRequest,
): Promise<PaymentDecision> {
  const card = readCardReference(request.cardReference);
  const earlier = await findIntent(context, request.paymentUid, card?.customer);
  if (earlier) return decisionOf(earlier);
  if (!card) return refused(UNKNOWN_CARD, "card");
  try {
    return decisionOf(await confirm(context, request, card));
  } catch (error) {
    // `authentication_required` among them: the bank wants the person, who then pays on a page.
    if (isDecline(error)) return refused(error.code);
    if (!isInvalid(error) || CODES_OF_THE_SHOP.includes(error.reason)) throw error;
    context.log.error({ err: error, payment: request.paymentUid }, "charge refused");
    return refused(codeOf(error), "card");
  }
}

const codeOf = ({ code = INVALID_REQUEST }: StripeFailure) =>
  code === "resource_missing" ? UNKNOWN_CARD : code;

function confirm(
  { stripe, statement }: StripeContext,
  { paymentUid, amount, description }: ChargeRequest,
  card: { customer: string; payment_method: string },
) {
  const payment = {
    ...card,
    ...statement,
    amount,
    currency: "eur",
    description,
    allowed_payment_method_types: ["card"],
    metadata: { paymentUid, kind: CHARGE },
    off_session: true,
    confirm: true,
    expand: ["payment_method"],
  };
  return callStripe(
    stripe.paymentIntents.create(payment, { idempotencyKey: `charge:${paymentUid}` }),
  );
}
