import type Stripe from "stripe";
import type { RefundDecision, RefundRequest } from "../../ports/payment-gateway";
import { ask, isInvalid } from "./failure";
import { findIntent, readPage } from "./lookup";
import type { World } from "./world";

/** Gives an amount back; asked again, answers what became of the first. */
export async function refund(world: World, request: RefundRequest): Promise<RefundDecision> {
  const payment_intent = await intentOf(world, request.reference);
  if (!payment_intent) return { status: "failure" };
  const earlier = await findRefund(world, payment_intent, request.refundUid);
  if (earlier) return decisionOf(earlier);
  try {
    return decisionOf(await create(world, payment_intent, request));
  } catch (error) {
    if (!isInvalid(error)) throw error;
    // By hand, in Stripe's dashboard.
    if (error.code === "charge_already_refunded") return { status: "success" };
    world.log.error({ err: error, refund: request.refundUid }, "refund refused");
    return { status: "failure" };
  }
}

function create(
  { stripe }: World,
  payment_intent: string,
  { refundUid, amount }: RefundRequest,
): Promise<Stripe.Refund> {
  const order = { payment_intent, amount, metadata: { refundUid } };
  return ask(stripe.refunds.create(order, { idempotencyKey: `refund:${refundUid}` }));
}

/** Null where nothing was tried; where the reference got lost, our own name of the payment is given. */
async function intentOf(world: World, reference: string): Promise<string | null> {
  if (reference.startsWith("pi_")) return reference;
  if (!reference.startsWith("cs_")) return (await findIntent(world, reference))?.id ?? null;
  const { payment_intent } = await readPage(world, reference);
  return typeof payment_intent === "string" ? payment_intent : (payment_intent?.id ?? null);
}

/** The list is never behind, and lasts longer than an idempotency key. */
async function findRefund({ stripe }: World, payment_intent: string, refundUid: string) {
  const { data } = await ask(stripe.refunds.list({ payment_intent, limit: 100 }));
  return data.find(({ metadata }) => metadata?.refundUid === refundUid);
}

function decisionOf({ status }: Stripe.Refund): RefundDecision {
  switch (status) {
    case "succeeded":
      return { status: "success" };
    case "failed":
    case "canceled":
      return { status: "failure" };
    default:
      return { status: "pending" };
  }
}
