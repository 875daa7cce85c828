import type { Offer } from "../../../app/contract/subscriptions";
import type { Database } from "../database/tables";
import { conflict } from "../http/refusal";
import type { GatewayState } from "../ports/payment-gateway";
import {
  findPayment,
  findUnsettledPayment,
  offerOfPayment,
  type PaidIntent,
  type Payment,
} from "../money/payments";
import { applyState } from "../subscriptions/reconciliation";
import { recordDecision } from "../subscriptions/settlement";
import { hasNothingToPay } from "../subscriptions/subscription";
import type { PaymentContext } from "../subscriptions/context";

/** Concurrent tabs close each other's payment pages; after this many rounds one of them is refused. */
export const MAX_CLOSED_PAGES = 5;

export const concurrentPayment = () =>
  conflict("payment", "Another payment was started at the same time");

/**
 * Closes the person's earlier payment page, so that two can never be paid. An open page of the same
 * intent (digest `kept`) with the same offer is not closed.
 * @returns the URL of the page that stays open, otherwise null
 * @throws Refusal 409 when subscribed or while the bank decides
 */
export async function closeEarlierPayment(
  context: PaymentContext,
  accountUid: string,
  intent: Pick<PaidIntent, "due" | "key" | "offer">,
  kept?: string,
): Promise<string | null> {
  const { db, clock, gateway } = context;
  if (await hasNothingToPay(context, accountUid, intent, clock.now())) throw alreadySubscribed();
  const payment = await findUnsettledPayment(db, accountUid);
  if (!payment) return null;
  // The same form was posted twice: its first payment is running and must not be closed.
  if (intent.key !== null && payment.idempotency_key === intent.key) throw concurrentPayment();
  const { uid: paymentUid, gateway_reference: reference } = payment;
  const state = await gateway.status({ paymentUid, reference, payer: accountUid });
  const isKept = payment.intent_digest === kept && showsOffer(payment, intent.offer);
  if (state.status === "open" && isKept) return state.url;
  await closeOrApply(context, payment, state);
  await refuseUndecided(db, payment.uid);
  return null;
}

async function closeOrApply(context: PaymentContext, payment: Payment, state: GatewayState) {
  const reference = state.status === "open" && (payment.gateway_reference ?? state.reference);
  if (!reference) return applyState(context, payment, state);
  return recordDecision(context, payment.uid, await context.gateway.closePaymentPage(reference));
}

async function refuseUndecided(db: Database, paymentUid: string) {
  const status = (await findPayment(db, paymentUid))?.status;
  if (status === "success") throw alreadySubscribed();
  if (status === "pending" || status === "open") throw conflict("payment", "A payment is pending");
}

/** Tells whether the page shows the same offer: the formula or the next debit may have changed. */
function showsOffer(payment: Payment, { statement }: Offer): boolean {
  const shown = offerOfPayment(payment);
  return shown === null || shown.statement === statement;
}

export const alreadySubscribed = () => conflict("subscription", "Already subscribed");
