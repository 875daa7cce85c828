import type { z } from "zod/v4";
import { cardDigits, isCardNumber, isExpired } from "../../../app/contract/card";
import type { Violation } from "../../../app/contract/errors";
import type { creditCard } from "../../../app/contract/subscriptions";
import { Refusal } from "../http/refusal";
import type { Card } from "../ports/payment-gateway";

/** Builds the card for the bank, without the spaces that the person typed. */
export const typedCardOf = ({ number, ...rest }: z.infer<typeof creditCard>): Card => ({
  ...rest,
  number: cardDigits(number),
});

/** @throws Refusal 400 with each invalid property of `creditCard`, never its value */
export function checkCard(card: Card, now: Date) {
  const violations = [...numberFaults(card), ...expiryFaults(card, now)];
  if (violations.length) throw new Refusal(400, "Validation failed", violations);
}

const numberFaults = ({ number }: Card) =>
  isCardNumber(number) ? [] : [fault("number", "The check digit is wrong")];

/** An expired card is a fault of the year, or of the month when it expired this year. */
function expiryFaults({ month, year }: Card, now: Date): Violation[] {
  if (isExpired({ month: 12, year }, now)) return [fault("year", "The card has expired")];
  return isExpired({ month, year }, now) ? [fault("month", "The card has expired")] : [];
}

const fault = (field: keyof Card, message: string): Violation => ({
  property: `creditCard.${field}`,
  message,
  type: "invalid",
});
