import type { z } from "zod/v4";
import type { paymentRequest } from "../../../app/contract/subscriptions";
import { Refusal } from "../http/refusal";
import type { Principal } from "../http/types";
import { countCardAttempt } from "../limits/declines";
import { newUid } from "../ports/ids";
import type { Card } from "../ports/payment-gateway";
import { ORDER_BUTTON } from "../offers/description";
import type { PaymentAnswer } from "./payment-answer";
import { authorizePayment, type Attempt, type Authorize } from "./authorization";
import { beginPayment } from "./begin-payment";
import { typedCardOf, checkCard } from "./card-rules";
import { closeEarlierPayment, MAX_CLOSED_PAGES, concurrentPayment } from "./earlier-payment";
import { digestOf } from "../ports/digest";
import { answerOnce } from "./idempotency";
import { readKeyedIntent, type Intent } from "./intent";
import type { Payment } from "../money/payments";
import { answerRepeated } from "./repeated-payment";
import type { PaymentContext } from "../subscriptions/context";

type Request = z.infer<typeof paymentRequest>;

/** The caller of a payment, with the idempotency key of the form. */
export type PaymentCaller = {
  principal: Principal;
  key: string;
  origin: string;
  clientAddress: string | null;
};

/** Time in which a call to the bank may still be running; shorter than the delay of reconciliation. */
const CALL_RUNS_MS = 30_000;

/**
 * Charges a card typed on the site, once per idempotency key. A repeated key, concurrent or
 * after a crash, means the same payment, which the bank decides once.
 * @throws PaymentRefusal when the bank refuses; Refusal 400 for invalid input, 409 for a key used
 *   for another payment, when subscribed or while a payment is pending, 429 after too many declined
 *   cards
 */
export async function payByCard(
  context: PaymentContext,
  caller: PaymentCaller,
  request: Request,
): Promise<PaymentAnswer> {
  const { principal, key, origin } = caller;
  const { firstname, lastname } = request;
  const card = typedCardOf(request.creditCard);
  const idempotency = { origin, key, digest: cardDigest(request, card) };
  return answerOnce(context.db, principal.uid, idempotency, {
    createPayment: async () => {
      const authorize = requireAuthorize(context);
      checkCard(card, context.clock.now());
      const intent = await readKeyedIntent(context, principal, request, idempotency);
      const payment = await startPayment(context, caller, intent, `${firstname} ${lastname}`);
      return authorizePayment(context, authorize, { principal, payment, card });
    },
    answerKnown: (payment) => repeatPayment(context, caller, { principal, payment, card }),
  });
}

/** The digest contains only the last four digits of the card number. */
function cardDigest(request: Request, { number, month, year }: Card) {
  const { uid, formula, trafficToken = null, affiliation = null, firstname, lastname } = request;
  const person = [uid, firstname, lastname];
  const order = [person, formula, trafficToken, number.slice(-4), month, year];
  return digestOf(affiliation ? [...order, affiliation.platform, affiliation.token] : order);
}

/** A repeated request while the first is running asks the bank too, which decides a payment once. */
async function repeatPayment(context: PaymentContext, caller: PaymentCaller, attempt: Attempt) {
  const { authorize } = context.gateway;
  const { status, created_at } = attempt.payment;
  const age = context.clock.now().getTime() - Date.parse(created_at);
  const isRunning = status === "pending" && age < CALL_RUNS_MS;
  return isRunning && authorize
    ? authorizePayment(context, authorize, attempt)
    : answerRepeated(context, caller, attempt.payment);
}

function requireAuthorize({ gateway }: PaymentContext): Authorize {
  if (gateway.authorize) return gateway.authorize;
  throw new Refusal(400, "Cards are taken on the page of the payment provider only");
}

/** Stores the payment before the bank is asked: after a crash in between, reconciliation settles it. */
async function startPayment(
  context: PaymentContext,
  caller: PaymentCaller,
  intent: Intent,
  payerName: string,
): Promise<Payment> {
  for (let turn = 0; turn < MAX_CLOSED_PAGES; turn++) {
    await closeEarlierPayment(context, caller.principal.uid, intent);
    const payment = await insertCardPayment(context, caller, intent, payerName);
    if (payment) return payment;
  }
  throw concurrentPayment();
}

function insertCardPayment(
  context: PaymentContext,
  { principal, clientAddress }: PaymentCaller,
  intent: Intent,
  payerName: string,
) {
  const { clock } = context;
  const uid = newUid();
  const order = { payerName, orderButton: ORDER_BUTTON };
  const payment = { uid, accountUid: principal.uid, intent, now: clock.now(), ...order };
  return beginPayment(context, { ...payment, status: "pending", reference: null }, (transaction) =>
    countCardAttempt(transaction, clock, { paymentUid: uid, from: clientAddress }),
  );
}
