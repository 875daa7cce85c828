import { plain, type Line } from "./line";
import marks from "./marks.json";

/** The head of an earlier mail, within so many lines. */
const REACH = 6;
const LABELS = 3;

const NAMES = Object.entries(marks.labels).map(
  ([label, words]) => [label, new Set(words.map(plain))] as const,
);
const SEPARATORS = new Set(marks.separators.map(plain));

/** Whether an earlier mail begins here: with its head, or a line that says so. */
export function isHeadingAt(lines: readonly Line[], start: number): boolean {
  const [first, ...others] = lines.slice(start, start + REACH);
  if (!first) return false;
  if (isSeparator(first)) return true;
  if (labelOf(first) === null) return false;
  const labels = new Set([first, ...others].map(labelOf).filter((label) => label !== null));
  return labels.has("from") && labels.size >= LABELS;
}

/** `----- Original Message -----`, with two dashes at least on either side. */
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
