import type Stripe from "stripe";
import type { PaymentDecision, PaymentPage, PaymentPageRequest } from "../../ports/payment-gateway";
import { replaceCustomer, findOrCreateCustomer } from "./customer";
import { stateOfPage } from "./decision";
import { callStripe, isInvalid, isMissing } from "./failure";
import { callOnce } from "./idempotency";
import { findPage, readPage, WITH_CARD_OF_PAGE } from "./lookup";
import type { StripeContext } from "./context";

/** Stripe allows from 30 minutes to 24 hours. */
const LIFETIME_SECONDS = 3600;

/**
 * Creates the hosted page (Checkout Session) of a payment; repeated calls return the same page.
 * When the idempotency key is used up by an earlier call or a failure of Stripe, the customer's
 * pages are searched. Only when there is none the key is changed, so that a payment never has two
 * payable pages. A customer that Stripe no longer has (removed unnoticed, or of a formerly used
 * Stripe account) is created again, once.
 */
export async function createPage(
  context: StripeContext,
  request: PaymentPageRequest,
): Promise<PaymentPage> {
  const customer = await findOrCreateCustomer(context, request);
  try {
    return await createPageOf(context, request, customer);
  } catch (error) {
    if (!isMissing(error)) throw error;
    context.log.warn(
      { err: error, payer: request.payer },
      "Stripe has a customer no more: made anew",
    );
    return createPageOf(context, request, await replaceCustomer(context, request, customer));
  }
}

async function createPageOf(
  context: StripeContext,
  request: PaymentPageRequest,
  customer: string,
): Promise<PaymentPage> {
  const seconds = Math.floor(context.clock.now().getTime() / 1000);
  const order = orderOf(context, request, customer, seconds + LIFETIME_SECONDS);
  const page = await callOnce(context, `page:${request.paymentUid}`, {
    run: (key) => create(context, order, key),
    find: () => findPage(context, customer, request.paymentUid),
  });
  return pageOf(page, request);
}

function create(
  { stripe }: StripeContext,
  order: Stripe.Checkout.SessionCreateParams,
  idempotencyKey: string,
) {
  return callStripe(stripe.checkout.sessions.create(order, { idempotencyKey }));
}

/** Closes an open page; for a finished or pending page the current state is returned. */
export async function closePage(
  context: StripeContext,
  reference: string,
): Promise<PaymentDecision> {
  const state = stateOfPage(await expire(context, reference), context.clock.now());
  return state.status === "open" || state.status === "unknown" ? { status: "pending" } : state;
}

async function expire(context: StripeContext, reference: string) {
  const { sessions } = context.stripe.checkout;
  try {
    return await callStripe(sessions.expire(reference, { expand: WITH_CARD_OF_PAGE }));
  } catch (error) {
    if (isInvalid(error)) return readPage(context, reference);
    throw error;
  }
}

function orderOf(
  { statementDescriptor }: StripeContext,
  { paymentUid, amount, description, conditions, returnUrl }: PaymentPageRequest,
  customer: string,
  expires_at: number,
): Stripe.Checkout.SessionCreateParams {
  const metadata = { paymentUid };
  const price_data = { currency: "eur", unit_amount: amount, product_data: { name: description } };
  return {
    mode: "payment",
    locale: "fr",
    customer,
    // Renewals charge the card again, so only payment methods that can be stored are allowed.
    allowed_payment_method_types: ["card"],
    payment_intent_data: {
      description,
      metadata,
      setup_future_usage: "off_session" as const,
      ...statementDescriptor,
    },
    // Without this, Stripe may charge another currency than the one shown.
    adaptive_pricing: { enabled: false },
    line_items: [{ quantity: 1, price_data }],
    custom_text: { submit: { message: conditions } },
    metadata,
    success_url: returnUrlOf(returnUrl, "1"),
    cancel_url: returnUrlOf(returnUrl, "0"),
    expires_at,
  };
}

/** A finished page has no URL, so the browser returns to the site. */
function pageOf(session: Stripe.Checkout.Session, { returnUrl }: PaymentPageRequest): PaymentPage {
  const paid = session.status === "complete" ? "1" : "0";
  return { reference: session.id, url: session.url ?? returnUrlOf(returnUrl, paid) };
}

function returnUrlOf(returnUrl: string, success: "0" | "1") {
  const url = new URL(returnUrl);
  url.searchParams.set("success", success);
  return url.href;
}
