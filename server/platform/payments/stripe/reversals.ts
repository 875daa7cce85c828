import type Stripe from "stripe";
import type { Claim, PaymentName, RefundDecision, Reversals } from "../../ports/payment-gateway";
import { findCustomer } from "./customer";
import { callStripe, isMissing } from "./failure";
import { findIntent, idOf, readPage } from "./lookup";
import type { StripeContext } from "./context";

const NOTHING: Reversals = { refunds: [], claims: [] };

/** Reads all refunds and claims of a payment from lists, which have no delay. */
export async function reversalsOf(
  context: StripeContext,
  payment: PaymentName,
): Promise<Reversals> {
  const payment_intent = await intentIdOf(context, payment);
  if (!payment_intent) return NOTHING;
  try {
    return await readReversals(context, payment_intent);
  } catch (error) {
    // The payment belongs to a formerly used Stripe account.
    if (isMissing(error)) return NOTHING;
    throw error;
  }
}

async function readReversals(
  { stripe }: StripeContext,
  payment_intent: string,
): Promise<Reversals> {
  const asked = { payment_intent, limit: 100 };
  const [given, disputed, warned] = await Promise.all([
    callStripe(stripe.refunds.list(asked)),
    callStripe(stripe.disputes.list(asked)),
    callStripe(stripe.radar.earlyFraudWarnings.list(asked)),
  ]);
  const disputes = disputed.data.map(claimOfDispute);
  return {
    refunds: given.data.map(refundOf),
    claims: [...disputes, ...warned.data.map((warning) => claimOfWarning(warning, disputes))],
  };
}

/** Finds the PaymentIntent of a payment; null when no payment was attempted. */
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

function refundOf(refund: Stripe.Refund): Reversals["refunds"][number] {
  const { id: reference, amount, metadata } = refund;
  return {
    reference,
    amount,
    status: decisionOfRefund(refund).status,
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

/** Turns a dispute into a claim. Inquiries take no money; closed ones count as won. */
function claimOfDispute(dispute: Stripe.Dispute): Claim {
  const { id: reference, amount, status } = dispute;
  switch (status) {
    case "warning_needs_response":
    case "warning_under_review":
      return { reference, kind: "inquiry", amount, status: "open" };
    case "warning_closed":
      return { reference, kind: "inquiry", amount, status: "won" };
    case "won":
      return { reference, kind: "dispute", amount, status: "won" };
    case "prevented":
      return { reference, kind: "dispute", amount, status: isGivenBack(dispute) ? "lost" : "won" };
    case "lost":
      return { reference, kind: "dispute", amount, status: "lost" };
    default:
      return { reference, kind: "dispute", amount, status: "open" };
  }
}

/**
 * Tells whether a prevented dispute gave the money back. Its balance transactions say so; until there are any, its
 * kind does: a `resolution` gives back by a rule of the network, a `block` answers the bank and gives nothing.
 */
function isGivenBack({ balance_transactions, payment_method_details }: Stripe.Dispute): boolean {
  if (balance_transactions.length === 0) {
    return payment_method_details?.card?.case_type === "resolution";
  }
  return balance_transactions.reduce((sum, { amount }) => sum + amount, 0) < 0;
}

/**
 * Turns a fraud warning into a claim. It is open until the payment is refunded or disputed.
 * Afterwards it is won when all disputes are won, otherwise lost.
 */
function claimOfWarning(
  { id: reference, actionable }: Stripe.Radar.EarlyFraudWarning,
  disputes: Claim[],
): Claim {
  const isWon = disputes.length > 0 && disputes.every(({ status }) => status === "won");
  const status = actionable ? "open" : isWon ? "won" : "lost";
  return { reference, kind: "warning", amount: 0, status };
}
