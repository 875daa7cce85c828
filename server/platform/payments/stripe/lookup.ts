import { HOUR_MS } from "../../ports/durations";
import type Stripe from "stripe";
import type { GatewayState, PaymentName } from "../../ports/payment-gateway";
import { findCustomer } from "./customer";
import { decisionOf, stateOfPage } from "./decision";
import { callStripe, isMissing } from "./failure";
import type { StripeContext } from "./context";

/** Expands the card, whose reference is stored, and the charge, whose time is. */
const WITH_CARD = ["payment_method", "latest_charge"];
export const WITH_CARD_OF_PAGE = WITH_CARD.map((name) => `payment_intent.${name}`);

/** Limits for the pages or payments of one customer, newest first; real customers have fewer. */
const PAGE_SIZE = 100;
const MAX_ITEMS = 500;

/** Maximum delay of Stripe's search index. */
const SEARCH_LAG_MS = HOUR_MS;

/** Reads the state of a payment by its reference or, when that was lost, by our uid. */
export async function statusOf(
  context: StripeContext,
  payment: PaymentName,
): Promise<GatewayState> {
  const { reference } = payment;
  try {
    if (reference === null) return await findState(context, payment);
    return reference.startsWith("pi_")
      ? decisionOf(await readPaymentIntent(context, reference))
      : stateOfPage(await readPage(context, reference), context.clock.now());
  } catch (error) {
    if (isMissing(error)) return { status: "unknown" };
    throw error;
  }
}

export function readPage({ stripe }: StripeContext, reference: string) {
  return callStripe(stripe.checkout.sessions.retrieve(reference, { expand: WITH_CARD_OF_PAGE }));
}

export function readPaymentIntent(
  { stripe }: StripeContext,
  id: string,
): Promise<Stripe.PaymentIntent> {
  return callStripe(stripe.paymentIntents.retrieve(id, { expand: WITH_CARD }));
}

/** Reads whose card it is; null when it was removed from its customer. */
export async function readCardOwner({ stripe }: StripeContext, id: string): Promise<string | null> {
  return idOf((await callStripe(stripe.paymentMethods.retrieve(id))).customer);
}

export const idOf = (thing: string | { id: string } | null | undefined): string | null =>
  typeof thing === "string" ? thing : (thing?.id ?? null);

/** Finds a customer's page by our payment uid, in the list, which has no delay, unlike the search. */
export async function findPage(
  { stripe, ...context }: StripeContext,
  customer: string,
  paymentUid: string,
) {
  const pages = stripe.checkout.sessions.list({ customer, limit: PAGE_SIZE });
  const found = await findByPaymentUid(pages, paymentUid);
  return found && readPage({ stripe, ...context }, found.id);
}

/**
 * Finds an attempted payment, on a page or without one; null when there is none. It looks in the
 * customer's list first, then in Stripe's search, which may be an hour behind but covers other
 * customers.
 */
export async function findIntent(
  context: StripeContext,
  paymentUid: string,
  customer: string | null = null,
) {
  const { paymentIntents } = context.stripe;
  const query = `metadata['paymentUid']:'${paymentUid}'`;
  const own = customer && (await findInCustomerList(context, paymentUid, customer));
  const found = own || (await findByPaymentUid(paymentIntents.search({ query }), paymentUid));
  return found && readPaymentIntent(context, found.id);
}

/** Finds a payment in the customer's list; null also when Stripe no longer has the customer. */
async function findInCustomerList({ stripe }: StripeContext, paymentUid: string, customer: string) {
  try {
    return await findByPaymentUid(
      stripe.paymentIntents.list({ customer, limit: PAGE_SIZE }),
      paymentUid,
    );
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

async function findState(
  context: StripeContext,
  { paymentUid, payer }: PaymentName,
): Promise<GatewayState> {
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
): Promise<GatewayState> {
  const page = customer && (await findPage(context, customer, paymentUid));
  if (page) return stateOfPage(page, context.clock.now());
  const intent = await findIntent(context, paymentUid, customer);
  if (intent) return decisionOf(intent);
  return customer ? { status: "unknown" } : { status: "unknown", lagMs: SEARCH_LAG_MS };
}

type Named = { id: string; metadata: Stripe.Metadata | null };

/** Searches a paged list up to a limit, so that an endless list cannot block a job. */
async function findByPaymentUid<T extends Named>(
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
