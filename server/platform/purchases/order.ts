import type { Offer } from "../../../app/contract/subscriptions";
import type { Principal } from "../http/types";
import type { PaymentPageRequest } from "../ports/payment-gateway";
import { orderText } from "../../../app/i18n/order-words.server";
import { describeOffer } from "../offers/description";

/** `merchant`: the seller's name on card statements. */
type Ordered = { merchant: string; offer: Offer; cashback: boolean; origin: string };

/** Builds the order for the bank; it is equal for each attempt, so that the bank sees one payment. */
export const orderOf = (
  { uid: payer, identifier }: Principal,
  { merchant, offer, cashback, origin }: Ordered,
  paymentUid: string,
): PaymentPageRequest => ({
  paymentUid,
  merchant,
  payer,
  email: identifier,
  amount: offer.amountNow,
  description: offer.description ?? describeOffer(offer),
  conditions: offer.conditions ?? orderText(offer),
  returnUrl: `${origin}/callback/payment?cashback=${cashback ? 1 : 0}`,
});
