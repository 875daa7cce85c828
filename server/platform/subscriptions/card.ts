import type { PaidOutcome } from "../ports/payment-gateway";

/** What a subscription keeps of the card that paid: how it is charged next, and its last month. */
export const cardColumns = ({ cardReference, cardExpiry }: PaidOutcome) => ({
  card_reference: cardReference,
  card_expiry: cardExpiry ? monthOf(cardExpiry) : null,
});

export const NO_CARD = { card_reference: null, card_expiry: null };

/** `2027-03`, which sorts as months do. */
function monthOf({ month, year }: { month: number; year: number }) {
  return `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}`;
}
