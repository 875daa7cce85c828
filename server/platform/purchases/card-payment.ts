import type { z } from "zod/v4";
import type { paymentRequest } from "../../../app/contract/subscriptions";
import { Refusal } from "../http/refusal";
import type { Principal } from "../http/types";
import { countCardAttempt } from "../limits/declines";
import { newUid } from "../ports/ids";
import type { Card } from "../ports/payment-gateway";
import type { PaymentAnswer } from "./payment-answer";
import { askBank, type Attempt, type Authorize } from "./authorization";
import { beginPayment } from "./begin-payment";
import { cardOf, checkCard } from "./card-rules";
import { closeEarlierPayment, MAX_CLOSED_PAGES, startedTwice } from "./earlier-payment";
import { digestOf } from "../ports/digest";
import { answerOnce } from "./idempotency";
import { readKeyedIntent, type Intent } from "./intent";
import type { Payment } from "../subscriptions/payments";
import { repeatAnswer } from "./repeated-payment";
import type { PaymentContext } from "../subscriptions/context";

type Request = z.infer<typeof paymentRequest>;

/** The caller of a payment, with the idempotency key of the form. */
export type Asker = {
  principal: Principal;
  key: string;
  origin: string;
  clientAddress: string | null;
};

/** Time in which a call to the bank may still be running; shorter than the delay of reconciliation. */
const UNDER_WAY_MS = 30_000;

/**
 * Charges a card typed on the site, once per idempotency key. A repeated key, concurrent or
 * after a crash, means the same payment, which the bank decides once.
 * @throws PaymentRefusal when the bank refuses; Refusal 400 for invalid input, 409 for a key used
 *   for another payment, when subscribed or while a payment is pending, 429 after too many declined
 *   cards
 */
export async function payByCard(
  context: PaymentContext,
  asker: Asker,
  request: Request,
): Promise<PaymentAnswer> {
  const { principal, key, origin } = asker;
  const card = cardOf(request.creditCard);
  const named = { origin, key, digest: cardDigest(request, card) };
  return answerOnce(context.db, principal.uid, named, {
    first: async () => {
      const authorize = authorizeOf(context);
      checkCard(card, context.clock.now());
      const intent = await readKeyedIntent(context, principal, request, named);
      const payment = await begin(context, asker, intent);
      return askBank(context, authorize, { principal, payment, card });
    },
    again: (payment) => repeat(context, { principal, payment, card }),
  });
}

/** The digest contains only the last four digits of the card number. */
function cardDigest({ uid, formula, trafficToken, firstname, lastname }: Request, card: Card) {
  const { number, month, year } = card;
  const person = [uid, firstname, lastname];
  return digestOf([person, formula, trafficToken ?? null, number.slice(-4), month, year]);
}

/** A repeated request while the first is running asks the bank too, which decides a payment once. */
async function repeat(context: PaymentContext, attempt: Attempt) {
  const { authorize } = context.gateway;
  const { status, created_at } = attempt.payment;
  const age = context.clock.now().getTime() - Date.parse(created_at);
  const underWay = status === "pending" && age < UNDER_WAY_MS;
  return underWay && authorize
    ? askBank(context, authorize, attempt)
    : repeatAnswer(context, attempt.payment);
}

function authorizeOf({ gateway }: PaymentContext): Authorize {
  if (gateway.authorize) return gateway.authorize;
  throw new Refusal(400, "Cards are taken on the page of the payment provider only");
}

/** Stores the payment before the bank is asked: after a crash in between, reconciliation settles it. */
async function begin(context: PaymentContext, asker: Asker, intent: Intent): Promise<Payment> {
  for (let turn = 0; turn < MAX_CLOSED_PAGES; turn++) {
    await closeEarlierPayment(context, asker.principal.uid, intent);
    const payment = await write(context, asker, intent);
    if (payment) return payment;
  }
  throw startedTwice();
}

function write(context: PaymentContext, { principal, clientAddress }: Asker, intent: Intent) {
  const { clock } = context;
  const uid = newUid();
  const payment = { uid, accountUid: principal.uid, intent, now: clock.now() };
  return beginPayment(context, { ...payment, status: "pending", reference: null }, (transaction) =>
    countCardAttempt(transaction, clock, { paymentUid: uid, from: clientAddress }),
  );
}
