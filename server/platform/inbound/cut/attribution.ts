import { plain, type Line } from "./line";
import marks from "./marks.json";

/** Long addresses break the line. */
const MAX_LINES = 4;

/** A time of day or an address: « Le jour où Solène a écrit : » has none. */
const EVIDENCE = /\d{1,2} ?[:h] ?\d{2}|\S@\S/;

const OPENINGS = marks.openings.map((word) => `${plain(word)} `);
const CLOSINGS = marks.closings.map(plain);

/**
 * How many lines from `start` say who wrote what follows: « Le … a écrit : », "On … wrote:"; 0 for
 * other lines. Prose that reads like it is not taken for it.
 */
export function attributionAt(lines: readonly Line[], start: number): number {
  const first = lines[start]?.plain ?? "";
  if (!OPENINGS.some((opening) => first.startsWith(opening))) return 0;
  let text = "";
  for (let count = 1; count <= MAX_LINES; count++) {
    const line = lines[start + count - 1];
    if (!line || line.isBlank) return 0;
    text = count === 1 ? first : `${text} ${line.plain}`;
    if (!closes(text)) continue;
    return EVIDENCE.test(text) || isFollowedByQuote(lines, start + count) ? count : 0;
  }
  return 0;
}

function closes(text: string) {
  const words = text.endsWith(":") ? text.slice(0, -1).trimEnd() : "";
  return CLOSINGS.some(
    (closing) => words.endsWith(closing) && /[\s>,]/.test(words.at(-closing.length - 1) ?? ""),
  );
}

export function isFollowedByQuote(lines: readonly Line[], start: number) {
  let at = start;
  while (lines[at]?.isBlank) at++;
  return lines[at]?.isQuoted ?? false;
}
