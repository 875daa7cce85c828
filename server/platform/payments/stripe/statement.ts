/**
 * Stripe writes `PREFIX* SUFFIX` on card statements, 22 characters in all; the prefix is the account's
 * own and has up to 10, so this many always fit.
 */
const MAX_LENGTH = 10;

/**
 * The part of the line on a card statement that the site gives itself: its name in plain Latin
 * capitals. Empty where the name has no such letter: then the account's own descriptor stands alone.
 */
export function statementOf(name: string): { statement_descriptor_suffix?: string } {
  const plain = name
    .normalize("NFD")
    .replace(/[^A-Za-z0-9 .-]/g, "")
    .trim()
    .toUpperCase();
  const fitting = plain.length > MAX_LENGTH ? plain.replaceAll(" ", "") : plain;
  const suffix = fitting.slice(0, MAX_LENGTH).trim();
  return /[A-Z]/.test(suffix) ? { statement_descriptor_suffix: suffix } : {};
}
