import type { Offer } from "../../../app/contract/subscriptions";
import type { Principal } from "../http/types";
import type { PaymentPageRequest } from "../ports/payment-gateway";
import { STATEMENT_NAME } from "../payments/banking-service";
import { describeOffer } from "../offers/description";

type Ordered = { offer: Offer; cashback: boolean; origin: string };

/** Builds the order for the bank; it is equal for each attempt, so that the bank sees one payment. */
export const orderOf = (
  { uid: payer, identifier }: Principal,
  { offer, cashback, origin }: Ordered,
  paymentUid: string,
): PaymentPageRequest => ({
  paymentUid,
  merchant: STATEMENT_NAME,
  payer,
  email: identifier,
  amount: offer.amountNow,
  description: describeOffer(offer),
  returnUrl: `${origin}/callback/payment?cashback=${cashback ? 1 : 0}`,
});
