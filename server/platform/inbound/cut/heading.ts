import { plain } from "./line";
import marks from "./marks.json";

/** The head of an earlier mail, within so many lines. */
const REACH = 6;
const LABELS = 3;

const NAMES = Object.entries(marks.labels).map(
  ([label, words]) => [label, new Set(words.map(plain))] as const,
);
const SEPARATORS = new Set(marks.separators.map(plain));

/** Whether an earlier mail begins here: with its head, or a line that says so. */
export function isHeadingAt(lines: readonly string[], start: number): boolean {
  if (isSeparator(lines[start] ?? "")) return true;
  if (labelOf(lines[start] ?? "") === null) return false;
  const found = lines.slice(start, start + REACH).map(labelOf);
  const labels = new Set(found.filter((label) => label !== null));
  return labels.has("from") && labels.size >= LABELS;
}

function isSeparator(line: string) {
  const [, words] = /^-{2,}(.{1,60}?)-{2,}$/.exec(plain(line)) ?? [];
  return words !== undefined && SEPARATORS.has(words.trim());
}

function labelOf(line: string): string | null {
  const text = plain(line);
  const colon = text.indexOf(":");
  const word = text.slice(0, Math.max(colon, 0)).trim();
  return NAMES.find(([, words]) => words.has(word))?.[0] ?? null;
}
