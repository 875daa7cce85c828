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

/** Who asks, with the key of the form they sent. */
export type Asker = {
  principal: Principal;
  key: string;
  origin: string;
  clientAddress: string | null;
};

/** While a call to the bank may still be under way; shorter than reconciliation waits. */
const UNDER_WAY_MS = 30_000;

/**
 * Charges a card typed at the site, once for a key: the same key again, at the same time or
 * after a crash, names the same payment, which the bank decides once.
 * @throws PaymentRefusal when the bank refuses; Refusal 400 on what is faulty, 409 for a key used
 * otherwise, when subscribed or while a payment is pending, 429 after too many declined cards
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

/** Never the number: its last four digits tell one card from another. */
function cardDigest({ uid, formula, trafficToken, firstname, lastname }: Request, card: Card) {
  const { number, month, year } = card;
  const person = [uid, firstname, lastname];
  return digestOf([person, formula, trafficToken ?? null, number.slice(-4), month, year]);
}

/** The same post while the first is under way asks the bank too, which decides one payment once. */
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

/** Written before the bank is asked: should the process die in between, reconciliation finds out. */
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
