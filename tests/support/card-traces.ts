import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import cards from "../../server/platform/payments/sandbox/cards.json";

/** Of any test card, as typed with spaces or not. */
const NUMBERS = new RegExp(
  cards.map(({ number }) => number.replace(/(\d{4})(?=\d)/g, "$1[ -]?")).join("|"),
);

/**
 * after every test: databases, mails and other files below a folder, and what was logged.
 * @throws Error when a card number stands in one of them
 */
export function refuseCardTraces(folder: string, output = "") {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const found = files.filter((file) => NUMBERS.test(readFileSync(file, "latin1")));
  if (NUMBERS.test(output)) found.push("the log");
  if (found.length > 0) throw new Error(`A card number stands in ${found.join(", ")}`);
}
