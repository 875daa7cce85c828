import type { PlatformCode } from "../../../../app/contract/subscriptions";
import { MINUTE_MS } from "../../ports/durations";
import {
  NotAsked,
  ProviderFailure,
  type ChargeRequest,
  type PaymentDecision,
} from "../../ports/payment-gateway";
import { readCardReference } from "./card";
import { decisionOf, needOf, refused } from "./decision";
import {
  callStripe,
  isDecline,
  isInvalid,
  isKeyRefused,
  isMissing,
  isStillRunning,
  isUsedKey,
  SERVER_FAULT,
  type StripeFailure,
} from "./failure";
import { callOnce, keyForNow } from "./idempotency";
import { findIntent, readCardOwner } from "./lookup";
import type { StripeContext } from "./context";

/** Marks payments without the person; the outcome of a payment on a page is read from the page. */
export const CHARGE = "charge";

/** A payment that is younger may have failed moments ago: retries begin close together. */
const SETTLED_MS = 10 * MINUTE_MS;

/** Our code of a refusal: Stripe does not have the card, or has it no longer. */
const UNKNOWN_CARD = "unknown_card" satisfies PlatformCode;

/** Codes of a 400 that another card mends. Any other one is about the shop, its account or its requests. */
const CARD_ERROR_CODES = [
  "expired_payment_method",
  "invalid_card_type",
  "payment_intent_incompatible_payment_method",
  "payment_method_currency_mismatch",
  "payment_method_unexpected_state",
];

/** Parameters that name the stored card; Stripe tells by them what is missing, or can be used no more. */
const CARD_PARAMETERS = ["customer", "payment_method"];

/**
 * Charges a stored card without the person. The idempotency key prevents a second charge for a day;
 * after that, and after a failure of Stripe, the first charge is found among the customer's.
 */
export async function charge(
  context: StripeContext,
  request: ChargeRequest,
): Promise<PaymentDecision> {
  const card = readCardReference(request.cardReference);
  const earlier = await findEarlier(context, request, card?.customer);
  if (earlier) return decisionOf(earlier);
  if (!card) return refused(UNKNOWN_CARD, "card");
  try {
    return decisionOf(await confirm(context, request, card));
  } catch (error) {
    // This includes `authentication_required`: the person then pays on a page.
    if (isDecline(error)) return refused(error.code, needOf(error.code, error.advice));
    // Too many calls are no refusal of this one: the client may have repeated one that charged the card.
    if (!isInvalid(error)) throw isKeyRefused(error) ? asNotAsked(error) : error;
    const isKept = isUnexplained(error) ? await isCardKept(context, card) : !isAboutCard(error);
    if (isKept) throw asNotAsked(error);
    context.log.error({ err: error, payment: request.paymentUid }, "charge refused");
    return refused(isUnnamed(error) ? UNKNOWN_CARD : error.code, "card");
  }
}

/** @throws NotAsked when Stripe fails here: the charge was not asked for yet */
async function findEarlier(
  context: StripeContext,
  { paymentUid }: ChargeRequest,
  customer?: string,
) {
  try {
    return await findIntent(context, paymentUid, customer);
  } catch (error) {
    throw error instanceof ProviderFailure ? asNotAsked(error) : error;
  }
}

/** Marks a failure after which no money has moved: after other failures it may have. */
const asNotAsked = ({ message, reason, retryAfterSeconds }: ProviderFailure) =>
  new NotAsked(message, reason, retryAfterSeconds);

/** The words for a refused card would tell the person to replace a card that is good. */
function isAboutCard(error: StripeFailure): boolean {
  const { code = "", param = "" } = error;
  return isUnnamed(error) ? CARD_PARAMETERS.includes(param) : CARD_ERROR_CODES.includes(code);
}

/** A card that was removed from its customer may be refused without a code, or even a parameter. */
const isUnnamed = (error: StripeFailure) => error.code === undefined || isMissing(error);
const isUnexplained = ({ code, param }: StripeFailure) => code === undefined && param === undefined;

/** Whether Stripe still has the card of the customer. */
async function isCardKept(
  context: StripeContext,
  { customer, payment_method }: { customer: string; payment_method: string },
): Promise<boolean> {
  try {
    return (await readCardOwner(context, payment_method)) === customer;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

async function confirm(
  context: StripeContext,
  { paymentUid, amount, description, begunAt, lastFault }: ChargeRequest,
  card: { customer: string; payment_method: string },
) {
  const { paymentIntents } = context.stripe;
  const payment = {
    ...card,
    ...context.statementDescriptor,
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
  // A call that failed at Stripe just now may still charge the card, and not be listed yet. It is looked for and made
  // again only when it failed at an earlier try.
  const age = context.clock.now().getTime() - Date.parse(begunAt);
  const wasFailed = lastFault?.isAsked === true && lastFault.reason === SERVER_FAULT;
  const isSettled = wasFailed && age >= SETTLED_MS;
  const find = () => findIntent(context, paymentUid, card.customer);
  const ask = () => (isSettled ? callOnce(context, key, { run, find }) : run(key));
  // Nothing failed before, so that a refusal is Stripe's present one and not a repeated one.
  if (lastFault === null) return ask();
  try {
    return await ask();
  } catch (error) {
    // A new release or another title of the site has changed the request since the key was used.
    const isChanged = isUsedKey(error) && !isStillRunning(error) && age >= SETTLED_MS;
    // Stripe repeats its refusal to this key for a day, though the shop may have mended the reason.
    // After a recent failure of Stripe's own, a call with a second key might charge the card twice.
    const isUnclear = wasFailed && age < SETTLED_MS;
    const isRefused = isInvalid(error) && !isAboutCard(error) && !isUnclear;
    if (!isChanged && !isRefused) throw error;
    return (await find()) ?? run(keyForNow(context, key));
  }
}
