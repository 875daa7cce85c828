import type Stripe from "stripe";
import type { PaymentName, PaymentState } from "../../ports/payment-gateway";
import { findCustomer } from "./customer";
import { decisionOf, stateOfPage } from "./decision";
import { callStripe, isMissing } from "./failure";
import type { StripeContext } from "./context";

/** The card must come along: what it answers is kept. */
const WITH_CARD = ["payment_method"];
export const WITH_CARD_OF_PAGE = ["payment_intent.payment_method"];

/** Of one person's pages or payments, newest first; nobody has more in the time that is asked about. */
const PAGE_SIZE = 100;
const MAX_ITEMS = 500;

/** How far Stripe's search may be behind. */
const SEARCH_LAG_MS = 3_600_000;

/** What Stripe knows of a payment, by its reference or, where that got lost, by our own name. */
export async function statusOf(
  context: StripeContext,
  payment: PaymentName,
): Promise<PaymentState> {
  const { reference } = payment;
  try {
    if (reference === null) return await findState(context, payment);
    return reference.startsWith("pi_")
      ? decisionOf(await readIntent(context, reference))
      : stateOfPage(await readPage(context, reference), context.clock.now());
  } catch (error) {
    if (isMissing(error)) return { status: "unknown" };
    throw error;
  }
}

export function readPage({ stripe }: StripeContext, reference: string) {
  return callStripe(stripe.checkout.sessions.retrieve(reference, { expand: WITH_CARD_OF_PAGE }));
}

export function readIntent({ stripe }: StripeContext, id: string): Promise<Stripe.PaymentIntent> {
  return callStripe(stripe.paymentIntents.retrieve(id, { expand: WITH_CARD }));
}

/** A page of a customer, by our name of its payment. Lists are never behind, unlike the search. */
export async function findPage(
  { stripe, ...context }: StripeContext,
  customer: string,
  paymentUid: string,
) {
  const pages = stripe.checkout.sessions.list({ customer, limit: PAGE_SIZE });
  const found = await findNamed(pages, paymentUid);
  return found && readPage({ stripe, ...context }, found.id);
}

/**
 * A payment that was tried, on a page or without one; null when there was none. Among the
 * customer's own where it is known; then by Stripe's search, which may be an hour behind: it finds
 * what was paid as another customer.
 */
export async function findIntent(
  context: StripeContext,
  paymentUid: string,
  customer: string | null = null,
) {
  const { paymentIntents } = context.stripe;
  const query = `metadata['paymentUid']:'${paymentUid}'`;
  const own = customer && (await findOwn(context, paymentUid, customer));
  const found = own || (await findNamed(paymentIntents.search({ query }), paymentUid));
  return found && readIntent(context, found.id);
}

/** Null too for a customer that Stripe has no more. */
async function findOwn({ stripe }: StripeContext, paymentUid: string, customer: string) {
  try {
    return await findNamed(stripe.paymentIntents.list({ customer, limit: PAGE_SIZE }), paymentUid);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

async function findState(
  context: StripeContext,
  { paymentUid, payer }: PaymentName,
): Promise<PaymentState> {
  const customer = await findCustomer(context, payer);
  try {
    return await findStateOf(context, paymentUid, customer);
  } catch (error) {
    if (customer === null || !isMissing(error)) throw error;
    return findStateOf(context, paymentUid, null);
  }
}

async function findStateOf(
  context: StripeContext,
  paymentUid: string,
  customer: string | null,
): Promise<PaymentState> {
  const page = customer && (await findPage(context, customer, paymentUid));
  if (page) return stateOfPage(page, context.clock.now());
  const intent = await findIntent(context, paymentUid, customer);
  if (intent) return decisionOf(intent);
  return customer ? { status: "unknown" } : { status: "unknown", lagMs: SEARCH_LAG_MS };
}

type Named = { id: string; metadata: Stripe.Metadata | null };

/** Page after page, up to a bound: a list that never ends must not hold a job up. */
async function findNamed<T extends Named>(
  items: AsyncIterable<T>,
  paymentUid: string,
): Promise<T | null> {
  const find = async () => {
    let count = 0;
    for await (const item of items) {
      if (item.metadata?.paymentUid === paymentUid) return item;
      if (++count >= MAX_ITEMS) return null;
    }
    return null;
  };
  return callStripe(find());
}
