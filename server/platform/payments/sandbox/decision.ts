import type { PaymentDecision } from "../../ports/payment-gateway";
import type { Page } from "./store";

/** What the bank tells its merchant of a page; null while the person may still pay. */
export function decisionOf(page: Page): PaymentDecision | null {
  switch (page.status) {
    case "open":
    case "challenge":
      return null;
    case "pending":
      return { status: "pending" };
    case "paid":
      return { status: "success", reference: page.uid, ...cardOf(page) };
    case "declined":
      return page.error_code
        ? { status: "failure", code: page.error_code, message: "Refused by the provider" }
        : { status: "failure", code: "declined", message: "Card declined" };
    case "cancelled":
      return { status: "cancelled", code: "cancelled", message: "Payment cancelled" };
    case "expired":
      return { status: "cancelled", code: "expired", message: "Payment page expired" };
  }
}

function cardOf({ card_reference, card_hint }: Page) {
  if (!card_reference || !card_hint) throw new Error("A paid page keeps its card's reference");
  return { cardReference: card_reference, cardHint: card_hint };
}
