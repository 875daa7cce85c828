import { plain, type Line } from "./line";
import marks from "./marks.json";

/** Number of lines searched for the header fields of a quoted mail. */
const REACH = 6;
const LABELS = 3;

const NAMES = Object.entries(marks.labels).map(
  ([label, words]) => [label, new Set(words.map(plain))] as const,
);
const SEPARATORS = new Set(marks.separators.map(plain));

/** Tells whether a quoted mail begins here: with its header fields or a separator line. */
export function isHeadingAt(lines: readonly Line[], start: number): boolean {
  const [first, ...others] = lines.slice(start, start + REACH);
  if (!first) return false;
  if (isSeparator(first)) return true;
  if (labelOf(first) === null) return false;
  const labels = new Set([first, ...others].map(labelOf).filter((label) => label !== null));
  return labels.has("from") && labels.size >= LABELS;
}

/** Matches `----- Original Message -----`, with at least two dashes on each side. */
function isSeparator({ plain: text }: Line) {
  if (!text.startsWith("--") || !text.endsWith("--")) return false;
  let [start, end] = [0, text.length];
  while (text[start] === "-") start++;
  while (end > start && text[end - 1] === "-") end--;
  return SEPARATORS.has(text.slice(start, end).trim());
}

function labelOf({ plain: text }: Line): string | null {
  const colon = text.indexOf(":");
  const word = text.slice(0, Math.max(colon, 0)).trim();
  return NAMES.find(([, words]) => words.has(word))?.[0] ?? null;
}
