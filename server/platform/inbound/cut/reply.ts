import { attributionAt, isFollowedByQuote } from "./attribution";
import { isHeadingAt } from "./heading";
import { isBlank, isQuoted } from "./line";
import { withoutSignature } from "./signature";

/** Of the links in our mails: nobody else may open what they open. */
const LINK_SECRET = /(\bt(?:=|%3D))[\w-]{43}(?![\w-])/gi;

/**
 * What somebody wrote, above, below or between what they quote, without their signature. In doubt
 * it is theirs: words twice are better than words lost. Each line is looked at a few times, however
 * the mail was made.
 */
export function replyIn(text: string): string {
  const lines = text.replace(LINK_SECRET, "$1…").split(/\r\n|\r|\n/);
  return ownLines(lines)
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

function ownLines(lines: readonly string[]): string[] {
  const quote = findQuote(lines);
  if (!quote) return withoutSignature(withoutQuotes(lines));
  const above = lines.slice(0, quote.start);
  const below = lines.slice(quote.end);
  if (quote.isMarked) {
    return [...withoutSignature(withoutQuotes(above)), "", ...withoutSignature(unquoted(below))];
  }
  // Nobody can tell where the reply below an unmarked quotation begins.
  return above.every(isBlank) ? withoutSignature(lines) : withoutSignature(withoutQuotes(above));
}

/** `isMarked`: each of its lines begins with ">". */
type Quote = { start: number; end: number; isMarked: boolean };

function findQuote(lines: readonly string[]): Quote | null {
  for (let start = 0; start < lines.length; start++) {
    const count = attributionAt(lines, start);
    const end = start + count;
    if (count > 0) return { start, end, isMarked: isFollowedByQuote(lines, end) };
    if (isHeadingAt(lines, start)) return { start, end: start, isMarked: false };
  }
  return null;
}

const unquoted = (lines: readonly string[]) => lines.filter((line) => !isQuoted(line));

/** A single line that begins with ">" is no quotation. */
function withoutQuotes(lines: readonly string[]) {
  const isInQuote = (line: string, at: number) =>
    isQuoted(line) && [lines[at - 1], lines[at + 1]].some((other) => other && isQuoted(other));
  return lines.filter((line, at) => !isInQuote(line, at));
}
