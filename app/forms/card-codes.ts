/** Of the card form and of the bank's page. */
type CardField = "cardNumber" | "expiry" | "cvv";

/** Codes of the bank that one field mends. */
const recoverable: Record<string, CardField> = {
  "1100003PI1": "cardNumber",
  "1100003PI3": "expiry",
  "1100003PI4": "expiry",
  "1100004PI1": "cardNumber",
  "1100004PI2": "cvv",
  "1100004PI3": "expiry",
  "1100004PI4": "expiry",
  "1100005PI2": "cvv",
  "1100005PI3": "expiry",
  E001001: "cardNumber",
  E001004: "expiry",
};

/** The field to correct for a bank code, or null: the code itself is then what can be told. */
export const fieldOfCode = (code: string): CardField | null => recoverable[code] ?? null;
