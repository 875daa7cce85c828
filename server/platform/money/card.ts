import type { PlatformCode } from "../../../app/contract/subscriptions";
import type { PaidOutcome } from "../ports/payment-gateway";

/** Columns of a subscription for the card that paid: its reference and its last valid month. */
export const cardColumns = ({ cardReference, cardExpiry }: PaidOutcome) => ({
  card_reference: cardReference,
  card_expiry: cardExpiry ? monthOf(cardExpiry) : null,
});

/** Code of a renewal for which no card was stored: nobody was asked, and nobody refused. */
export const NO_CARD_CODE = "no-card" satisfies PlatformCode;

export const NO_CARD = { card_reference: null, card_expiry: null };

/** Formats an expiry as `2027-03`, which sorts by month. */
function monthOf({ month, year }: { month: number; year: number }) {
  return `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}`;
}
