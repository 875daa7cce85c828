import type { PlatformCode } from "../../../../app/contract/subscriptions";
import type { PaymentDecision, RenewalNeed } from "../../ports/payment-gateway";
import { readExpiryText } from "./cards";
import { AUTHENTICATION_REQUIRED, UNKNOWN_CARD } from "./codes";
import type { Page } from "./store";

const NEEDS: Record<string, RenewalNeed> = {
  [AUTHENTICATION_REQUIRED]: "confirmation",
  [UNKNOWN_CARD]: "card",
};

/** The decision that the bank reports for a page; null while the person may still pay. */
export function decisionOf(page: Page): PaymentDecision | null {
  switch (page.status) {
    case "open":
    case "challenge":
      return null;
    case "pending":
      return { status: "pending", ...paidAtOf(page) };
    case "paid":
      return { status: "success", reference: page.uid, ...storedCardOf(page), ...paidAtOf(page) };
    case "declined":
      return page.error_code
        ? refused(page.error_code)
        : { status: "failure", code: "declined" satisfies PlatformCode, message: "Card declined" };
    case "cancelled":
      return cancelled("cancelled", "Payment cancelled");
    case "expired":
      return cancelled("expired", "Payment page expired");
  }
}

const cancelled = (code: PlatformCode, message: string): PaymentDecision => ({
  status: "cancelled",
  code,
  message,
});

const paidAtOf = ({ settled_at }: Page) => settled_at !== null && { paidAt: new Date(settled_at) };

function refused(code: string): PaymentDecision {
  const needs = NEEDS[code];
  return { status: "failure", code, message: "Refused by the provider", ...(needs && { needs }) };
}

function storedCardOf({ card_reference, card_hint, card_expiry }: Page) {
  if (!card_reference || !card_hint) throw new Error("A paid page keeps its card's reference");
  const known = { cardReference: card_reference, cardHint: card_hint };
  return card_expiry ? { ...known, cardExpiry: readExpiryText(card_expiry) } : known;
}
