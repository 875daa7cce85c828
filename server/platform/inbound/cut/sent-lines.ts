import { attributionAt } from "./attribution";
import { isHeadingAt, labelOf } from "./heading";
import { lineOf, unquoted, type Line } from "./line";
import { withoutLinkSecrets } from "./reply";

/** What we sent to somebody: the texts, and the subjects of mails. */
export type Sent = { texts: readonly string[]; subjects: readonly string[] };

/** So many words in a row are found in what we sent; fewer stand there by chance. */
const MIN_WORDS = 3;
/** A quotation that begins or ends within a text of ours. */
const MIN_WORDS_OF_PART = 4;
/** More places with the same words are not compared, which bounds the work. */
const MAX_PLACES = 30;
const MAX_HEADING = 8;

const ADDRESS = /https?:\/\/[^\s<>"'()[\]]+/g;
const EDGE = /[*_=<>|[\]()-]/;
const INVISIBLE = /[\u200b-\u200f\ufeff\u2060]/g;
const DATE_LINE = /^message du [\d/ :h.à]+$/;

/**
 * Drops from what was cut from a mail the lines that stand word for word in what we sent, white space and marks of
 * quotations aside, and the lines that attribute them. Of a row of such lines the first and the last stay where our text
 * has more words before or after it: an answer may consist of words of ours. Only of lines that are all marked as
 * quoted does a part of our text count as well.
 */
export function dropSentLines(pieces: readonly string[], sent: Sent): string {
  const known = indexOf(sent);
  return pieces
    .map((piece) => dropFrom(piece, known))
    .filter(Boolean)
    .join("\n\n");
}

type Known = {
  texts: readonly (readonly string[])[];
  /** Where three words in a row stand. */
  places: ReadonlyMap<string, readonly Place[]>;
  wordsOf: (line: string) => string[];
  subjects: ReadonlySet<string>;
};
type Place = { text: number; at: number };

function indexOf({ texts, subjects }: Sent): Known {
  const wordsOf = wordsWithout(addressesIn(texts));
  const all = texts.map(wordsOf);
  const places = new Map<string, Place[]>();
  for (const [text, words] of all.entries()) {
    for (let at = 0; at + MIN_WORDS <= words.length; at++) {
      const key = keyAt(words, at);
      const found = places.get(key);
      if (!found) places.set(key, [{ text, at }]);
      else if (found.length < MAX_PLACES) found.push({ text, at });
    }
  }
  return {
    texts: all,
    places,
    wordsOf,
    subjects: new Set(subjects.map((one) => lineOf(one).plain)),
  };
}

/** Of our links, the longest first. */
const addressesIn = (texts: readonly string[]) =>
  [...new Set(texts.flatMap((text) => withoutLinkSecrets(text).match(ADDRESS) ?? []))].sort(
    (a, b) => b.length - a.length,
  );

/** Splits a text into words. Programs write the addresses of our links elsewhere, or not at all. */
const wordsWithout = (addresses: readonly string[]) => (text: string) => {
  let left = withoutLinkSecrets(text).replace(INVISIBLE, "").normalize("NFC");
  if (left.includes("://")) for (const address of addresses) left = left.replaceAll(address, " ");
  return left
    .replaceAll("’", "'")
    .split(/\s+/)
    .map(trimEdges)
    .filter((word) => word !== "");
};

/** Trims by two indexes: a regular expression would take quadratic time. */
function trimEdges(word: string): string {
  let [start, end] = [0, word.length];
  while (start < end && EDGE.test(word.charAt(start))) start++;
  while (end > start && EDGE.test(word.charAt(end - 1))) end--;
  return word.slice(start, end);
}

const keyAt = (words: readonly string[], at: number) => words.slice(at, at + MIN_WORDS).join(" ");

/** A line of the piece; `words` are none where it is blank or a mere rule. */
type Compared = { line: Line; words: readonly string[]; isSent: boolean };

function dropFrom(piece: string, known: Known): string {
  const lines: Compared[] = piece.split("\n").map((text) => ({
    line: lineOf(text),
    words: known.wordsOf(text),
    isSent: false,
  }));
  const told = lines.filter(({ words }) => words.length > 0);
  markSent(told, known);
  markAttributions(told, known);
  return joinUnsent(lines);
}

function markSent(lines: readonly Compared[], known: Known) {
  const head = attributionEnd(
    lines.slice(0, MAX_HEADING).map(({ line }) => unquoted(line)),
    0,
  );
  const words = lines.flatMap((one) => one.words);
  let at = 0;
  for (let start = 0; start < lines.length;) {
    const { end, isFirst, isLast } = longestRun(lines, start, words, at, known);
    const row = lines.slice(start, end);
    const isMarked = row.every(({ line }) => line.isQuoted) && countWords(row) >= MIN_WORDS_OF_PART;
    const from = isFirst || (isMarked && (start === 0 || start === head)) ? 0 : 1;
    const to = isLast || (isMarked && end === lines.length) ? row.length : row.length - 1;
    for (const one of row.slice(from, Math.max(to, from))) one.isSent = true;
    const next = Math.max(end, start + 1);
    at += countWords(lines.slice(start, next));
    start = next;
  }
}

const countWords = (lines: readonly Compared[]) =>
  lines.reduce((sum, { words }) => sum + words.length, 0);

type Run = { end: number; isFirst: boolean; isLast: boolean };

/** The most lines from `start` that stand in one text of ours, there from its beginning or to its end. */
function longestRun(
  lines: readonly Compared[],
  start: number,
  words: readonly string[],
  at: number,
  { places, texts }: Known,
): Run {
  let best: Run = { end: start, isFirst: false, isLast: false };
  for (const place of places.get(keyAt(words, at)) ?? []) {
    const text = texts[place.text] ?? [];
    const run = runAt(lines, start, text, place.at);
    if (rankOf(run) > rankOf(best)) best = run;
  }
  return best;
}

const rankOf = ({ end, isFirst, isLast }: Run) => end * 4 + Number(isFirst) + Number(isLast);

function runAt(
  lines: readonly Compared[],
  start: number,
  text: readonly string[],
  from: number,
): Run {
  let [end, at] = [start, from];
  for (; end < lines.length; end++) {
    const { words } = lines[end] ?? { words: [] };
    if (!words.every((word, index) => text[at + index] === word)) break;
    at += words.length;
  }
  return { end, isFirst: from === 0, isLast: at === text.length };
}

/** Marks the attribution, or the header fields of a mail of ours, right above its first line. */
function markAttributions(lines: readonly Compared[], { subjects }: Known) {
  const plain = lines.map(({ line }) => unquoted(line));
  for (let at = 0; at < lines.length; at++) {
    const end = attributionEnd(plain, at);
    if (end === at || !lines[end]?.isSent) continue;
    for (const [index, one] of lines.slice(at, end).entries()) {
      one.isSent = !isOtherSubject(plain[at + index], subjects);
    }
    const above = lines[at - 1];
    if (above && DATE_LINE.test(plain[at - 1]?.plain ?? "")) above.isSent = true;
    at = end;
  }
}

function attributionEnd(lines: readonly Line[], start: number): number {
  const attributed = attributionAt(lines, start);
  if (attributed > 0) return start + attributed;
  if (!isHeadingAt(lines, start)) return start;
  let end = labelOf(lines[start] ?? lineOf("")) === null ? start + 1 : start;
  while (end < start + MAX_HEADING && labelOf(lines[end] ?? lineOf("")) !== null) end++;
  return end;
}

function isOtherSubject(line: Line | undefined, subjects: ReadonlySet<string>): boolean {
  if (!line || labelOf(line) !== "subject") return false;
  const subject = line.plain.slice(line.plain.indexOf(":") + 1).trim();
  return !subjects.has(subject.replace(/^(?:(?:re|tr|fw|fwd) ?: ?)+/, ""));
}

/** The lines that we did not send. Blank lines and rules stay between two of them. */
function joinUnsent(lines: readonly Compared[]): string {
  const groups: string[][] = [[]];
  let between: string[] = [];
  for (const { line, words, isSent } of lines) {
    if (isSent) {
      between = [];
      if (groups.at(-1)?.length) groups.push([]);
    } else if (words.length === 0) between.push(line.text);
    else {
      const group = groups.at(-1);
      group?.push(...(group.length > 0 ? between : []), line.text);
      between = [];
    }
  }
  return groups
    .filter((group) => group.length > 0)
    .map((group) => group.join("\n"))
    .join("\n\n");
}
