import { closeSync, fstatSync, openSync, readdirSync, readSync } from "node:fs";
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
  const found = files.filter(holdsNumber);
  if (NUMBERS.test(output)) found.push("the log");
  if (found.length > 0) throw new Error(`A card number stands in ${found.join(", ")}`);
}

const PART_BYTES = 64 * 1024 * 1024;
/** A number that lies across two parts is whole in one of them: longer than any as typed. */
const OVERLAP_BYTES = 64;

/** Part by part: the databases of measurements are larger than what is read at once. */
function holdsNumber(file: string): boolean {
  const descriptor = openSync(file, "r");
  const part = Buffer.alloc(Math.min(PART_BYTES, fstatSync(descriptor).size));
  try {
    for (let start = 0; ; start += PART_BYTES - OVERLAP_BYTES) {
      const length = readSync(descriptor, part, 0, part.length, start);
      if (NUMBERS.test(part.toString("latin1", 0, length))) return true;
      if (length < PART_BYTES) return false;
    }
  } finally {
    closeSync(descriptor);
  }
}
