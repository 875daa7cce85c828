import { attributionAt, isFollowedByQuote } from "./attribution";
import { isHeadingAt } from "./heading";
import { lineOf, unquoted, type Line } from "./line";
import { dropSignature } from "./signature";

/** A message has at most ten thousand characters; the rest of a longer mail is quoted text. */
const MAX_CHARACTERS = 500_000;
const MAX_LINES = 20_000;

/**
 * Secrets of links in our mails, which must not appear in the thread, also where a mail scanner has encoded
 * the link within one of its own, which adds signs before and after.
 */
const LINK_SECRET = /(t(?:oken)?(?:=|%(?:25)?3D|-3D))[\w-]{43,}/gi;

export const withoutLinkSecrets = (text: string) => text.replace(LINK_SECRET, "$1…");

/**
 * `own`: the sender's own text. `cut`: what was cut from it, such as quotations and the signature, in its order:
 * each piece stood together. `isShort`: the text was longer than what was read.
 */
export type Divided = { own: string; cut: string[]; isShort: boolean };

/**
 * Divides a mail into the sender's own text from above, below or between quoted lines, without the signature, and all
 * the rest. Text in doubt is the sender's own. The time is linear in the length of the mail.
 */
export function divideReply(text: string): Divided {
  const read = withoutLinkSecrets(text.slice(0, MAX_CHARACTERS));
  const texts = read.split(/\r\n|\r|\n/, MAX_LINES + 1);
  const lines = texts.slice(0, MAX_LINES).map(lineOf);
  const kept = extractLines(lines);
  return {
    own: tidy(kept),
    cut: cutLines(lines, new Set(kept)).map(tidy),
    isShort: text.length > MAX_CHARACTERS || texts.length > MAX_LINES,
  };
}

const tidy = (lines: readonly Line[]) =>
  lines
    .map((line) => line.text)
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();

/** The lines that are not kept: those between two kept ones are one piece. */
function cutLines(lines: readonly Line[], kept: ReadonlySet<Line>): Line[][] {
  const pieces: Line[][] = [];
  let piece: Line[] = [];
  for (const line of lines) {
    if (kept.has(line) && !line.isBlank) piece = [];
    else if (piece.length > 0) piece.push(line);
    else if (!line.isBlank) pieces.push((piece = [line]));
  }
  return pieces;
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

/**
 * Removes lines that begin with ">" where some of them say whom they quote, as some programs write. Others are the
 * sender's own, such as a list, and so is a single one.
 */
function dropQuotations(lines: readonly Line[]): readonly Line[] {
  if (!isAttributed(lines.filter(({ isQuoted }) => isQuoted).map(unquoted))) return lines;
  return lines.filter(
    ({ isQuoted }, at) => !isQuoted || (!lines[at - 1]?.isQuoted && !lines[at + 1]?.isQuoted),
  );
}

const isAttributed = (lines: readonly Line[]) =>
  lines.some((_, at) => attributionAt(lines, at) > 0 || isHeadingAt(lines, at));
