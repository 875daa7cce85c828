import type { z } from "zod/v4";
import { isCardNumber, isExpired } from "../../../app/contract/card";
import type { Violation } from "../../../app/contract/errors";
import type { creditCard } from "../../../app/contract/subscriptions";
import { Refusal } from "../http/refusal";
import type { Card } from "../ports/payment-gateway";

/** As the bank wants it: spaces are the person's. */
export const cardOf = ({ number, ...rest }: z.infer<typeof creditCard>): Card => ({
  ...rest,
  number: number.replace(/\s/g, ""),
});

/** @throws Refusal 400 with each faulty property of `creditCard`; never its value */
export function checkCard(card: Card, now: Date) {
  const violations = [...numberFaults(card), ...expiryFaults(card, now)];
  if (violations.length) throw new Refusal(400, "Validation failed", violations);
}

const numberFaults = ({ number }: Card) =>
  isCardNumber(number) ? [] : [fault("number", "The check digit is wrong")];

/** A past year is the year's fault; a past month of this year the month's. */
function expiryFaults({ month, year }: Card, now: Date): Violation[] {
  if (isExpired({ month: 12, year }, now)) return [fault("year", "The card has expired")];
  return isExpired({ month, year }, now) ? [fault("month", "The card has expired")] : [];
}

const fault = (field: keyof Card, message: string): Violation => ({
  property: `creditCard.${field}`,
  message,
  type: "invalid",
});
