import type { z } from "zod/v4";
import type { paymentLinkRequest } from "../../../app/contract/subscriptions";
import { lockAccount } from "../accounts/lock";
import { Refusal } from "../http/refusal";
import type { Reader } from "../http/types";
import { newUid } from "../ports/ids";
import { STATEMENT_NAME } from "./banking-service";
import { firstAmount } from "./formulas";
import { readIntent, type Intent } from "./intent";
import { describeOffer } from "./offer";
import { findUnsettledPayment, insertOpenPayment } from "./payments";
import { scheduleReconciliation } from "./reconciliation";
import { decidePayment } from "./settlement";
import { endLapsed, isSubscribed } from "./subscription";
import type { World } from "./world";

/** Several tabs at once may each close the other's page; after so many turns somebody must yield. */
const MAX_TURNS = 5;

/**
 * Address of the bank's page for an intent: the one that is open, or a new one after the page of
 * another intent is closed for good, so that one person can never pay twice.
 * @throws Refusal 400 on `formula` or `trafficToken`, 409 when subscribed or while the bank decides
 */
export async function createPaymentLink(
  world: World,
  reader: Reader,
  request: z.infer<typeof paymentLinkRequest>,
  origin: string,
): Promise<string> {
  const intent = await readIntent(world.db, request, origin);
  for (let turn = 0; turn < MAX_TURNS; turn++) {
    await refuseSubscribed(world, reader.uid);
    const url =
      (await reuseOrClosePage(world, reader, intent)) ?? (await openPage(world, reader, intent));
    if (url) return url;
  }
  throw new Refusal(409, "Another payment was started at the same time");
}

async function refuseSubscribed({ db, clock }: World, accountUid: string) {
  if (await isSubscribed(db, accountUid, clock.now())) throw alreadySubscribed();
}

/** The open page of the same intent; otherwise null, and no page of this person is open any more. */
async function reuseOrClosePage(world: World, reader: Reader, { digest }: Intent) {
  const payment = await findUnsettledPayment(world.db, reader.uid);
  if (!payment?.gateway_reference) return null;
  const state = await world.gateway.status(payment.gateway_reference);
  if (state.status === "open" && payment.intent_digest === digest) return state.url;
  const decision =
    state.status === "open"
      ? await world.gateway.closePaymentPage(payment.gateway_reference)
      : state;
  await decidePayment(world, payment.uid, decision);
  if (decision.status === "pending") throw paymentPending();
  if (decision.status === "success") throw alreadySubscribed();
  return null;
}

/**
 * The page comes first, its payment after: a page whose address nobody knows cannot be paid, a
 * payment without a page could not be closed. Null when another payment came first.
 */
async function openPage(world: World, reader: Reader, intent: Intent): Promise<string | null> {
  const { db, clock, gateway } = world;
  const now = clock.now();
  const uid = newUid();
  const page = await gateway.createPaymentPage({
    paymentUid: uid,
    merchant: STATEMENT_NAME,
    email: reader.identifier,
    amount: firstAmount(intent.formula),
    description: describeOffer(intent.formula, now),
    returnUrl: intent.returnUrl,
  });
  const opened = await db.transaction().execute(async (transaction) => {
    await lockAccount(transaction, reader.uid);
    await endLapsed(transaction, reader.uid, now);
    if (await isSubscribed(transaction, reader.uid, now)) return false;
    const payment = { uid, accountUid: reader.uid, intent, page, now };
    if (!(await insertOpenPayment(transaction, payment))) return false;
    await scheduleReconciliation(transaction, { paymentUid: uid, attempt: 1 }, now);
    return true;
  });
  if (opened) return page.url;
  await gateway.closePaymentPage(page.reference);
  return null;
}

const alreadySubscribed = () => new Refusal(409, "Already subscribed");
const paymentPending = () => new Refusal(409, "A payment is pending");
