import { attributionAt, isFollowedByQuote } from "./attribution";
import { isHeadingAt } from "./heading";
import { lineOf, type Line } from "./line";
import { withoutSignature } from "./signature";

/** Beyond a message of ten thousand characters there are quotations. */
const MAX_CHARACTERS = 500_000;
const MAX_LINES = 20_000;

/** Of the links in our mails: nobody else may open what they open. */
const LINK_SECRET = /(\bt(?:=|%3D))[\w-]{43}(?![\w-])/gi;

/**
 * What somebody wrote, above, below or between what they quote, without their signature. In doubt
 * it is theirs: words twice are better than words lost. Each line is looked at a few times, however
 * the mail was made.
 */
export function replyIn(text: string): string {
  const read = text.slice(0, MAX_CHARACTERS).replace(LINK_SECRET, "$1…");
  const lines = read.split(/\r\n|\r|\n/, MAX_LINES).map(lineOf);
  return ownLines(lines)
    .map((line) => line.text)
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

const EMPTY = lineOf("");

function ownLines(lines: readonly Line[]): Line[] {
  const quote = findQuote(lines);
  if (!quote) return withoutSignature(withoutQuotes(lines));
  const above = lines.slice(0, quote.start);
  const below = lines.slice(quote.end);
  if (quote.isMarked) {
    return [...withoutSignature(withoutQuotes(above)), EMPTY, ...withoutSignature(unquoted(below))];
  }
  // Nobody can tell where the reply below an unmarked quotation begins.
  const isBelow = above.every(({ isBlank }) => isBlank);
  return withoutSignature(isBelow ? lines : withoutQuotes(above));
}

/** `isMarked`: each of its lines begins with ">". */
type Quote = { start: number; end: number; isMarked: boolean };

function findQuote(lines: readonly Line[]): Quote | null {
  for (let start = 0; start < lines.length; start++) {
    const count = attributionAt(lines, start);
    const end = start + count;
    if (count > 0) return { start, end, isMarked: isFollowedByQuote(lines, end) };
    if (isHeadingAt(lines, start)) return { start, end: start, isMarked: false };
  }
  return null;
}

const unquoted = (lines: readonly Line[]) => lines.filter(({ isQuoted }) => !isQuoted);

/** A single line that begins with ">" is no quotation. */
const withoutQuotes = (lines: readonly Line[]) =>
  lines.filter(
    ({ isQuoted }, at) => !isQuoted || (!lines[at - 1]?.isQuoted && !lines[at + 1]?.isQuoted),
  );
