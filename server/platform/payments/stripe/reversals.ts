import type Stripe from "stripe";
import type { Claim, PaymentName, RefundDecision, Reversals } from "../../ports/payment-gateway";
import { findCustomer } from "./customer";
import { callStripe, isMissing } from "./failure";
import { findIntent, readPage } from "./lookup";
import type { StripeContext } from "./context";

const NOTHING: Reversals = { refunds: [], claims: [] };

/** All that went back of a payment or is claimed back; lists are never behind. */
export async function reversalsOf(
  context: StripeContext,
  payment: PaymentName,
): Promise<Reversals> {
  const payment_intent = await intentIdOf(context, payment);
  if (!payment_intent) return NOTHING;
  const asked = { payment_intent, limit: 100 };
  const { refunds, disputes, radar } = context.stripe;
  const [given, disputed, warned] = await Promise.all([
    callStripe(refunds.list(asked)),
    callStripe(disputes.list(asked)),
    callStripe(radar.earlyFraudWarnings.list(asked)),
  ]);
  return {
    refunds: given.data.map(refundOf),
    claims: [...disputed.data.map(claimOfDispute), ...warned.data.map(claimOfWarning)],
  };
}

/** Null where nothing was paid or even tried. */
export async function intentIdOf(
  context: StripeContext,
  payment: PaymentName,
): Promise<string | null> {
  const { paymentUid, reference, payer } = payment;
  if (reference?.startsWith("pi_")) return reference;
  if (!reference?.startsWith("cs_")) {
    return (await findIntent(context, paymentUid, await findCustomer(context, payer)))?.id ?? null;
  }
  try {
    return idOf((await readPage(context, reference)).payment_intent);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

export const idOf = (thing: string | { id: string } | null | undefined): string | null =>
  typeof thing === "string" ? thing : (thing?.id ?? null);

function refundOf(refund: Stripe.Refund): Reversals["refunds"][number] {
  const { id: reference, amount, metadata } = refund;
  return {
    ...{ reference, amount, status: decisionOfRefund(refund).status },
    refundUid: metadata?.refundUid ?? null,
    attempt: Number(metadata?.attempt ?? 1),
  };
}

export function decisionOfRefund({ status }: Pick<Stripe.Refund, "status">): RefundDecision {
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

/** Inquiries take no money yet; one that is closed, or prevented, is as good as won. */
function claimOfDispute({ id: reference, amount, status }: Stripe.Dispute): Claim {
  switch (status) {
    case "warning_needs_response":
    case "warning_under_review":
      return { reference, kind: "inquiry", amount, status: "open" };
    case "warning_closed":
      return { reference, kind: "inquiry", amount, status: "won" };
    case "won":
    case "prevented":
      return { reference, kind: "dispute", amount, status: "won" };
    case "lost":
      return { reference, kind: "dispute", amount, status: "lost" };
    default:
      return { reference, kind: "dispute", amount, status: "open" };
  }
}

/** Over once the payment is given back or disputed. */
function claimOfWarning(warning: Stripe.Radar.EarlyFraudWarning): Claim {
  const { id: reference, actionable } = warning;
  return { reference, kind: "warning", amount: 0, status: actionable ? "open" : "lost" };
}
