import type { ChargeRequest, PaymentDecision } from "../../ports/payment-gateway";
import { readCardReference } from "./card";
import { decisionOf, refused } from "./decision";
import { ask, isDecline, isMissing } from "./failure";
import { findIntent } from "./lookup";
import type { World } from "./world";

/** Tells payments without the person from those on a page, which answer for themselves. */
export const CHARGE = "charge";

/** Our code of a refusal: this provider has no such card, or has it no more. */
const UNKNOWN_CARD = "unknown_card";

/**
 * Charges a stored card without the person. The idempotency key keeps a repeated call from charging
 * twice for a day; after that, the first one is found.
 */
export async function charge(world: World, request: ChargeRequest): Promise<PaymentDecision> {
  const card = readCardReference(request.cardReference);
  const earlier = await findIntent(world, request.paymentUid, card?.customer);
  if (earlier) return decisionOf(earlier);
  if (!card) return refused(UNKNOWN_CARD);
  try {
    return decisionOf(await confirm(world, request, card));
  } catch (error) {
    // `authentication_required` among them: the bank wants the person, who then pays on a page.
    if (isDecline(error)) return refused(error.code);
    if (isMissing(error)) return refused(UNKNOWN_CARD);
    throw error;
  }
}

function confirm(
  { stripe, statement }: World,
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
  return ask(stripe.paymentIntents.create(payment, { idempotencyKey: `charge:${paymentUid}` }));
}
