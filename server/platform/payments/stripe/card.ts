import type Stripe from "stripe";

type CardName = { customer: string; payment_method: string };

/** Stripe charges a stored card by customer and payment method; our reference contains both. */
const cardReferenceOf = ({ customer, payment_method }: CardName) => `${customer}/${payment_method}`;

/** Reads a card reference; null for a card stored by another provider before the change to Stripe. */
export function readCardReference(reference: string): CardName | null {
  const [, customer, payment_method] = /^(cus_\w+)\/(pm_\w+)$/.exec(reference) ?? [];
  return customer && payment_method ? { customer, payment_method } : null;
}

/** The storable data of the card that paid; `payment_method` must be expanded. */
export function storedCardOf({ customer, payment_method }: Stripe.PaymentIntent) {
  const owner = typeof customer === "string" ? customer : customer?.id;
  if (!owner || !payment_method || typeof payment_method === "string") {
    throw new Error("A payment that succeeded names its customer and its card");
  }
  return {
    cardReference: cardReferenceOf({ customer: owner, payment_method: payment_method.id }),
    cardHint: payment_method.card ? `…${payment_method.card.last4}` : payment_method.type,
    ...(payment_method.card && { cardExpiry: expiryOf(payment_method.card) }),
  };
}

const expiryOf = ({ exp_month: month, exp_year: year }: Stripe.PaymentMethod.Card) => ({
  month,
  year,
});
