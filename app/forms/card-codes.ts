import { BANK_CODES } from "~/contract/bank-codes";

/** Of the card form and of the bank's page. */
type CardField = "cardNumber" | "expiry" | "cvv";

/** Where each part of a card is typed. */
const fieldOfPart = {
  number: "cardNumber",
  month: "expiry",
  year: "expiry",
  code: "cvv",
} as const satisfies Record<string, CardField>;

/** The field to correct for a bank code, or null: the code itself is then what can be told. */
export function fieldOfCode(code: string): CardField | null {
  const part = Object.hasOwn(BANK_CODES, code) ? BANK_CODES[code] : null;
  return part ? fieldOfPart[part] : null;
}
