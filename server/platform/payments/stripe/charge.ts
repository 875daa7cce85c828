import { MINUTE_MS } from "../../ports/durations";
import type { ChargeRequest, PaymentDecision } from "../../ports/payment-gateway";
import { readCardReference } from "./card";
import { decisionOf, refused } from "./decision";
import { callStripe, isDecline, isInvalid, SERVER_FAULT, type StripeFailure } from "./failure";
import { callOnce } from "./idempotency";
import { findIntent } from "./lookup";
import type { StripeContext } from "./context";

/** Marks payments without the person; the outcome of a payment on a page is read from the page. */
export const CHARGE = "charge";

/** A payment that is younger may have failed moments ago: retries begin close together. */
const SETTLED_MS = 10 * MINUTE_MS;

/** Our code of a refusal: Stripe does not have the card, or has it no longer. */
const UNKNOWN_CARD = "unknown_card";
/** Our code of a refusal: Stripe rejects the request. */
const INVALID_REQUEST = "invalid_request";

/** Codes of a 400 about the shop's account or key, not about the charge. */
const SHOP_ERROR_CODES = [
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
 * Charges a stored card without the person. The idempotency key prevents a second charge for a day;
 * after that, and after a failure of Stripe, the first charge is found among the customer's.
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
    // This includes `authentication_required`: the person then pays on a page.
    if (isDecline(error)) return refused(error.code);
    if (!isInvalid(error) || SHOP_ERROR_CODES.includes(error.reason)) throw error;
    context.log.error({ err: error, payment: request.paymentUid }, "charge refused");
    return refused(codeOf(error), "card");
  }
}

const codeOf = ({ code = INVALID_REQUEST }: StripeFailure) =>
  code === "resource_missing" ? UNKNOWN_CARD : code;

function confirm(
  context: StripeContext,
  { paymentUid, amount, description, begunAt, lastFault }: ChargeRequest,
  card: { customer: string; payment_method: string },
) {
  const { paymentIntents } = context.stripe;
  const payment = {
    ...card,
    ...context.statement,
    amount,
    currency: "eur",
    description,
    allowed_payment_method_types: ["card"],
    metadata: { paymentUid, kind: CHARGE },
    off_session: true,
    confirm: true,
    expand: ["payment_method"],
  };
  const key = `charge:${paymentUid}`;
  const run = (idempotencyKey: string) =>
    callStripe(paymentIntents.create(payment, { idempotencyKey }));
  // A call that Stripe failed just now may still charge the card, and not be listed yet. Only one that had
  // failed before, at an earlier try, is looked for and made again.
  const age = context.clock.now().getTime() - Date.parse(begunAt);
  const isSettled = lastFault === SERVER_FAULT && age >= SETTLED_MS;
  const find = () => findIntent(context, paymentUid, card.customer);
  return isSettled ? callOnce(context, key, { run, find }) : run(key);
}
