import { closeSync, fstatSync, openSync, readdirSync, readSync } from "node:fs";
import { join } from "node:path";
import cards from "../../server/platform/payments/sandbox/cards.json";

/** Matches the number of any test card, typed with or without spaces. */
const NUMBERS = new RegExp(
  cards.map(({ number }) => number.replace(/(\d{4})(?=\d)/g, "$1[ -]?")).join("|"),
);

/**
 * Searches a folder's databases, mails and other files, and the log, for card numbers. It runs
 * after every test.
 * @throws Error when a card number is found
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
/**
 * Overlap of two parts. It is longer than any typed card number, so that none is cut in both parts.
 */
const OVERLAP_BYTES = 64;

/** Reads a file in parts, because databases of measurements do not fit into one read. */
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
