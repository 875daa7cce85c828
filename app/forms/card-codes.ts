import { BANK_CODES } from "~/contract/bank-codes";

/** Fields of the site's card form and of the sandbox bank's page. */
type CardField = "cardNumber" | "expiry" | "cvv";

/** The field in which each part of a card is typed. */
const fieldOfPart = {
  number: "cardNumber",
  month: "expiry",
  year: "expiry",
  code: "cvv",
} as const satisfies Record<string, CardField>;

/** The field of each part of a card, by the property of a call that pays. */
export const CARD_FIELDS: Readonly<Record<string, CardField>> = Object.fromEntries(
  Object.entries(fieldOfPart).map(([part, field]) => [`creditCard.${part}`, field]),
);

/** The field to correct for a bank code. Null: no field helps, and the page shows the code. */
export function fieldOfCode(code: string): CardField | null {
  const part = Object.hasOwn(BANK_CODES, code) ? BANK_CODES[code] : null;
  return part ? fieldOfPart[part] : null;
}
