import type Stripe from "stripe";
import type { PaymentName, PaymentState } from "../../ports/payment-gateway";
import { decisionOf, stateOfPage } from "./decision";
import { ask, isMissing } from "./failure";
import type { World } from "./world";

/** The card must come along: what it answers is kept. */
const WITH_CARD = ["payment_method"];
export const WITH_CARD_OF_PAGE = ["payment_intent.payment_method"];

/**
 * Stripe's search may be an hour behind, its lists never are; a page is over after an hour. What is
 * older than both is found by the search, or nothing was paid.
 */
const RECENT_SECONDS = 2 * 3600;

/** What Stripe knows of a payment, by its reference or, where that got lost, by our own name. */
export async function statusOf(world: World, payment: PaymentName): Promise<PaymentState> {
  const { paymentUid, reference } = payment;
  try {
    if (reference === null) return await findState(world, paymentUid);
    return reference.startsWith("pi_")
      ? decisionOf(await readIntent(world, reference))
      : stateOfPage(await readPage(world, reference), world.clock.now());
  } catch (error) {
    if (isMissing(error)) return { status: "unknown" };
    throw error;
  }
}

export function readPage({ stripe }: World, reference: string) {
  return ask(stripe.checkout.sessions.retrieve(reference, { expand: WITH_CARD_OF_PAGE }));
}

/** A page of the last two hours. */
export async function findRecentPage(world: World, paymentUid: string) {
  const { sessions } = world.stripe.checkout;
  const recent = await findNamed(sessions.list(since(world)), paymentUid);
  return recent && readPage(world, recent.id);
}

/** A payment that was tried, on a page or without one; null when there was none. */
export async function findIntent(world: World, paymentUid: string) {
  const { paymentIntents } = world.stripe;
  const query = `metadata['paymentUid']:'${paymentUid}'`;
  const found =
    (await findNamed(paymentIntents.list(since(world)), paymentUid)) ??
    (await findNamed(paymentIntents.search({ query }), paymentUid));
  return found && readIntent(world, found.id);
}

async function findState(world: World, paymentUid: string): Promise<PaymentState> {
  const page = await findRecentPage(world, paymentUid);
  if (page) return stateOfPage(page, world.clock.now());
  const intent = await findIntent(world, paymentUid);
  return intent ? decisionOf(intent) : { status: "unknown" };
}

function readIntent({ stripe }: World, id: string): Promise<Stripe.PaymentIntent> {
  return ask(stripe.paymentIntents.retrieve(id, { expand: WITH_CARD }));
}

type Named = { id: string; metadata: Stripe.Metadata | null };

async function findNamed<T extends Named>(
  pages: AsyncIterable<T>,
  paymentUid: string,
): Promise<T | null> {
  const find = async () => {
    for await (const item of pages) if (item.metadata?.paymentUid === paymentUid) return item;
    return null;
  };
  return ask(find());
}

function since({ clock }: World) {
  const gte = Math.floor(clock.now().getTime() / 1000) - RECENT_SECONDS;
  return { created: { gte }, limit: 100 };
}
