import type { z } from "zod/v4";
import type { paymentRequest } from "../../../app/contract/subscriptions";
import { Refusal } from "../http/refusal";
import type { Reader } from "../http/types";
import { countCard } from "../limits/declines";
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
import type { World } from "../subscriptions/world";

type Request = z.infer<typeof paymentRequest>;

/** Who asks, with the key of the form they sent. */
export type Asker = { reader: Reader; key: string; origin: string; clientAddress: string | null };

/** While a call to the bank may still be under way; shorter than reconciliation waits. */
const UNDER_WAY_MS = 30_000;

/**
 * Charges a card typed at the site, once for a key: the same key again, at the same time or
 * after a crash, names the same payment, which the bank decides once.
 * @throws PaymentRefusal when the bank refuses; Refusal 400 on what is faulty, 409 for a key used
 * otherwise, when subscribed or while a payment is pending, 429 after too many declined cards
 */
export async function payByCard(
  world: World,
  asker: Asker,
  request: Request,
): Promise<PaymentAnswer> {
  const { reader, key, origin } = asker;
  const card = cardOf(request.creditCard);
  const named = { origin, key, digest: cardDigest(request, card) };
  return answerOnce(world.db, reader.uid, named, {
    first: async () => {
      const authorize = authorizeOf(world);
      checkCard(card, world.clock.now());
      const intent = await readKeyedIntent(world, reader, request, named);
      const payment = await begin(world, asker, intent);
      return askBank(world, authorize, { reader, payment, card });
    },
    again: (payment) => repeat(world, { reader, payment, card }),
  });
}

/** Never the number: its last four digits tell one card from another. */
function cardDigest({ uid, formula, trafficToken, firstname, lastname }: Request, card: Card) {
  const { number, month, year } = card;
  const person = [uid, firstname, lastname];
  return digestOf([person, formula, trafficToken ?? null, number.slice(-4), month, year]);
}

/** The same post while the first is under way asks the bank too, which decides one payment once. */
async function repeat(world: World, attempt: Attempt) {
  const { authorize } = world.gateway;
  const { status, created_at } = attempt.payment;
  const age = world.clock.now().getTime() - Date.parse(created_at);
  const underWay = status === "pending" && age < UNDER_WAY_MS;
  return underWay && authorize
    ? askBank(world, authorize, attempt)
    : repeatAnswer(world, attempt.payment);
}

function authorizeOf({ gateway }: World): Authorize {
  if (gateway.authorize) return gateway.authorize;
  throw new Refusal(400, "Cards are taken on the page of the payment provider only");
}

/** Written before the bank is asked: should the process die in between, reconciliation finds out. */
async function begin(world: World, asker: Asker, intent: Intent): Promise<Payment> {
  for (let turn = 0; turn < MAX_CLOSED_PAGES; turn++) {
    await closeEarlierPayment(world, asker.reader.uid, intent);
    const payment = await write(world, asker, intent);
    if (payment) return payment;
  }
  throw startedTwice();
}

function write(world: World, { reader, clientAddress }: Asker, intent: Intent) {
  const { clock } = world;
  const uid = newUid();
  const payment = { uid, accountUid: reader.uid, intent, now: clock.now() };
  return beginPayment(world, { ...payment, status: "pending", reference: null }, (transaction) =>
    countCard(transaction, clock, { paymentUid: uid, from: clientAddress }),
  );
}
