import { attributionAt, isFollowedByQuote } from "./attribution";
import { isHeadingAt } from "./heading";
import { lineOf, type Line } from "./line";
import { dropSignature } from "./signature";

/** A message has at most ten thousand characters; the rest of a longer mail is quoted text. */
const MAX_CHARACTERS = 500_000;
const MAX_LINES = 20_000;

/** Secrets of links in our mails, which must not appear in the thread. */
const LINK_SECRET = /(\bt(?:=|%3D))[\w-]{43}(?![\w-])/gi;

/**
 * Extracts the sender's own text from above, below or between quoted lines, without the signature.
 * Text in doubt is kept: repeated text is better than lost text. The time is linear in the length
 * of the mail.
 */
export function extractReply(text: string): string {
  const read = text.slice(0, MAX_CHARACTERS).replace(LINK_SECRET, "$1…");
  const lines = read.split(/\r\n|\r|\n/, MAX_LINES).map(lineOf);
  return extractLines(lines)
    .map((line) => line.text)
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

const EMPTY = lineOf("");

function extractLines(lines: readonly Line[]): Line[] {
  const quote = findQuote(lines);
  if (!quote) return dropSignature(dropQuotations(lines));
  const above = lines.slice(0, quote.start);
  const below = lines.slice(quote.end);
  if (quote.isMarked) {
    return [
      ...dropSignature(dropQuotations(above)),
      EMPTY,
      ...dropSignature(dropQuotedLines(below)),
    ];
  }
  // The start of a reply below an unmarked quotation cannot be found.
  const isBelow = above.every(({ isBlank }) => isBlank);
  return dropSignature(isBelow ? lines : dropQuotations(above));
}

/** `isMarked`: each quoted line begins with ">". */
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

const dropQuotedLines = (lines: readonly Line[]) => lines.filter(({ isQuoted }) => !isQuoted);

/** Removes quoted lines; a single line that begins with ">" counts as own text. */
const dropQuotations = (lines: readonly Line[]) =>
  lines.filter(
    ({ isQuoted }, at) => !isQuoted || (!lines[at - 1]?.isQuoted && !lines[at + 1]?.isQuoted),
  );
