import type { Formula } from "../../../app/contract/subscriptions";
import type { Principal } from "../http/types";
import type { PaymentPageRequest } from "../ports/payment-gateway";
import { STATEMENT_NAME } from "../payments/banking-service";
import { describeDue, describeOffer } from "../offers/description";
import type { PaymentContext } from "../subscriptions/context";

type Ordered = {
  formula: Formula;
  amount: number;
  /** Of a renewal that is paid by another card: the start of its period. */
  due: { due: string } | null;
  cashback: boolean;
  origin: string;
};

/** What the bank is told of a payment; the same at every try, so that it is the same payment. */
export const orderOf = (
  { calendar }: PaymentContext,
  { uid: payer, identifier }: Principal,
  { formula, amount, due, cashback, origin }: Ordered,
  { uid, startedAt }: { uid: string; startedAt: Date },
): PaymentPageRequest => ({
  paymentUid: uid,
  merchant: STATEMENT_NAME,
  payer,
  email: identifier,
  amount,
  description: due
    ? describeDue(formula, amount, new Date(due.due))
    : describeOffer(formula, startedAt, calendar),
  returnUrl: `${origin}/callback/payment?cashback=${cashback ? 1 : 0}`,
});
