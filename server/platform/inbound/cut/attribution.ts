import { plain, type Line } from "./line";
import marks from "./marks.json";

/** An attribution with a long address takes several lines. */
const MAX_LINES = 4;

/**
 * A time or an address distinguishes an attribution from prose such as « Le jour où Solène a écrit
 * : ».
 */
const EVIDENCE = /\d{1,2} ?[:h] ?\d{2}|\S@\S/;

const OPENINGS = marks.openings.map((word) => `${plain(word)} `);
const CLOSINGS = marks.closings.map(plain);

/**
 * Counts the lines from `start` that attribute the following quotation: « Le … a écrit : »,
 * "On … wrote:". Returns 0 for other lines, similar prose included.
 */
export function attributionAt(lines: readonly Line[], start: number): number {
  const first = lines[start]?.plain ?? "";
  if (!OPENINGS.some((opening) => first.startsWith(opening))) return 0;
  let text = "";
  for (let count = 1; count <= MAX_LINES; count++) {
    const line = lines[start + count - 1];
    if (!line || line.isBlank) return 0;
    text = count === 1 ? first : `${text} ${line.plain}`;
    if (!endsAttribution(text)) continue;
    return EVIDENCE.test(text) || isFollowedByQuote(lines, start + count) ? count : 0;
  }
  return 0;
}

function endsAttribution(text: string) {
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
