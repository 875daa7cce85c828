import type Stripe from "stripe";
import type { PlatformCode } from "../../../../app/contract/subscriptions";
import type {
  PaymentDecision,
  PaymentOutcome,
  GatewayState,
  RenewalNeed,
} from "../../ports/payment-gateway";
import { storedCardOf } from "./card";

/** Reasons that add nothing to our own code, and reasons that must not be told to the payer. */
const UNINFORMATIVE = ["card_declined", "generic_decline"];
const CONFIDENTIAL = ["fraudulent", "lost_card", "merchant_blacklist", "stolen_card"];

/** Reasons of the bank to refuse a card for ever, and its advice that says so. */
const FINAL = ["expired_card", "lost_card", "pickup_card", "stolen_card"];
const DO_NOT_TRY_AGAIN = "do_not_try_again";

/** Code when the bank wants the person to confirm. */
const AUTHENTICATION_REQUIRED = "authentication_required" satisfies PlatformCode;

/** Reads the state of a page (Checkout Session); its `payment_intent` must be expanded. */
export function stateOfPage(session: Stripe.Checkout.Session, now: Date): GatewayState {
  const { id: reference, status, url, expires_at } = session;
  const decision = decisionOfPayment(session);
  if (status === "open") return url ? { status: "open", url, reference } : { status: "pending" };
  // A refused card leaves the page open for another card, so only a paid or finished page counts.
  if (status === "complete") return decision ?? { status: "pending" };
  if (decision?.status === "success" || decision?.status === "pending") return decision;
  return cancelled(now.getTime() / 1000 < expires_at ? "cancelled" : "expired");
}

/** Reads the decision of a payment (PaymentIntent) without a page. */
export function decisionOf(intent: Stripe.PaymentIntent): PaymentDecision {
  switch (intent.status) {
    case "succeeded":
      return {
        status: "success",
        reference: intent.id,
        ...storedCardOf(intent),
        ...paidAtOf(intent),
        charged: { amount: intent.amount_received, currency: intent.currency },
      };
    case "canceled":
      return cancelled("cancelled");
    case "requires_action":
      return refused(AUTHENTICATION_REQUIRED, "confirmation");
    case "requires_payment_method":
      return refusedBy(intent.last_payment_error);
    default:
      return { status: "pending", ...paidAtOf(intent) };
  }
}

/** The time of its charge, in whole seconds; `latest_charge` must be expanded. */
function paidAtOf({ latest_charge }: Stripe.PaymentIntent) {
  if (!latest_charge || typeof latest_charge === "string") return {};
  return { paidAt: new Date(latest_charge.created * 1000) };
}

/** Builds a refusal with Stripe's reason as code, without its message, which may contain sent data. */
export function refused(code: string | undefined, needs: RenewalNeed | undefined): PaymentOutcome {
  const reason =
    code && ![...UNINFORMATIVE, ...CONFIDENTIAL].includes(code)
      ? { code, message: "Refused by the provider" }
      : { code: "declined" satisfies PlatformCode, message: "Card declined" };
  return { status: "failure", ...reason, ...(needs && { needs }) };
}

/** What the person must do after the bank declined their card. */
export function needOf(
  code: string | undefined,
  advice: string | undefined,
): RenewalNeed | undefined {
  if (code === AUTHENTICATION_REQUIRED) return "confirmation";
  return advice === DO_NOT_TRY_AGAIN || FINAL.includes(code ?? "") ? "card" : undefined;
}

function refusedBy(error: Stripe.PaymentIntent["last_payment_error"]) {
  const code = error?.decline_code ?? error?.code;
  return refused(code, needOf(code, error?.advice_code));
}

function decisionOfPayment({ id, payment_intent }: Stripe.Checkout.Session) {
  if (!payment_intent || typeof payment_intent === "string") return null;
  const decision = decisionOf(payment_intent);
  return decision.status === "success" ? { ...decision, reference: id } : decision;
}

function cancelled(code: Extract<PlatformCode, "cancelled" | "expired">): PaymentOutcome {
  const message = code === "expired" ? "Payment page expired" : "Payment cancelled";
  return { status: "cancelled", code, message };
}
