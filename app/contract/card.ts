import { dayOf } from "./day";

/** A card number without its spaces. Pasted ones may be no-break spaces or tabs. */
export const cardDigits = (text: string): string => text.replace(/\s/g, "");

/** Checks length and check digit (Luhn) of a card number. Spaces are ignored. */
export function isCardNumber(text: string): boolean {
  const digits = cardDigits(text);
  if (!/^\d{12,19}$/.test(digits)) return false;
  let sum = 0;
  for (const [index, digit] of [...digits].reverse().entries()) {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
}

export type Expiry = { month: number; year: number };

/** Latest year that the contract of the API knows. */
export const MAX_EXPIRY_YEAR = 2100;

/** Reads `mm/aa`, `mm/aaaa` or `mmaa`; null for anything else. */
export function readExpiry(text: string): Expiry | null {
  const parts = /^(\d{1,2})\/(\d{2}|\d{4})$|^(\d{2})(\d{2})$/.exec(text.replace(/\s/g, ""));
  if (!parts) return null;
  const month = Number(parts[1] ?? parts[3]);
  const typedYear = Number(parts[2] ?? parts[4]);
  const year = typedYear < 100 ? 2000 + typedYear : typedYear;
  return month < 1 || month > 12 || year > MAX_EXPIRY_YEAR ? null : { month, year };
}

/** A card is good until the last day of its month, in Paris. */
export function isExpired({ month, year }: Expiry, now: Date): boolean {
  const [thisYear, thisMonth] = dayOf(now).split("-").map(Number);
  return thisYear === undefined || thisMonth === undefined
    ? true
    : year * 12 + month < thisYear * 12 + thisMonth;
}
