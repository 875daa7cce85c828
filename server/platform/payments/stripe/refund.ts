import type Stripe from "stripe";
import type { RefundDecision, RefundRequest } from "../../ports/payment-gateway";
import { callStripe, isInvalid } from "./failure";
import { decisionOfRefund, intentIdOf } from "./reversals";
import type { StripeContext } from "./context";

/** Gives an amount back; the same try asked again answers what became of the first. */
export async function refund(
  context: StripeContext,
  request: RefundRequest,
): Promise<RefundDecision> {
  const payment_intent = await intentIdOf(context, request.payment);
  if (!payment_intent) return { status: "failure" };
  try {
    const earlier = await findRefund(context, payment_intent, request);
    if (earlier) return decisionOfRefund(earlier);
    return decisionOfRefund(await create(context, payment_intent, request));
  } catch (error) {
    if (!isInvalid(error)) throw error;
    // By hand, in Stripe's dashboard, since it was looked at: the next look counts that one.
    if (error.code === "charge_already_refunded") return { status: "pending" };
    // The bank holds the money: what it decides is asked for again.
    if (error.code === "charge_disputed") return { status: "pending" };
    context.log.error({ err: error, refund: request.refundUid }, "refund refused");
    return { status: "failure" };
  }
}

/**
 * A try has a key of its own: Stripe would answer the key of the failed one with that failure for a
 * day. Money cannot go back twice by it, as Stripe gives back no more than was paid.
 */
function create(
  { stripe }: StripeContext,
  payment_intent: string,
  { refundUid, attempt, amount }: RefundRequest,
): Promise<Stripe.Refund> {
  const metadata = { refundUid, attempt: String(attempt) };
  const idempotencyKey = `refund:${refundUid}${attempt > 1 ? `:${attempt}` : ""}`;
  return callStripe(
    stripe.refunds.create({ payment_intent, amount, metadata }, { idempotencyKey }),
  );
}

/** The list is never behind, and lasts longer than an idempotency key. */
async function findRefund(
  { stripe }: StripeContext,
  payment_intent: string,
  request: RefundRequest,
) {
  const { data } = await callStripe(stripe.refunds.list({ payment_intent, limit: 100 }));
  return data.find(
    ({ metadata }) =>
      metadata?.refundUid === request.refundUid &&
      Number(metadata.attempt ?? 1) === request.attempt,
  );
}
