/**
 * Stripe writes `PREFIX* SUFFIX` on card statements, at most 22 characters. The prefix is configured at
 * Stripe and has up to 10, so a suffix of this length always fits.
 */
const MAX_LENGTH = 10;

/**
 * The site's part of the line on a card statement: its name in plain Latin capitals. Empty when the
 * name has no Latin letter; Stripe then uses the account's descriptor.
 */
export function descriptorSuffixOf(name: string): { statement_descriptor_suffix?: string } {
  const plain = name
    .normalize("NFD")
    .replace(/[^A-Za-z0-9 .-]/g, "")
    .trim()
    .toUpperCase();
  const fitting = plain.length > MAX_LENGTH ? plain.replaceAll(" ", "") : plain;
  const suffix = fitting.slice(0, MAX_LENGTH).trim();
  return /[A-Z]/.test(suffix) ? { statement_descriptor_suffix: suffix } : {};
}
