/** Marks are searched in this part of a line only; none is longer. */
const MARK_LENGTH = 1_000;

const INVISIBLE = /[\u200b-\u200f\ufeff\u2060]/g;
const MARKUP = /[*_\s]/;

export type Line = {
  text: string;
  /** The line for comparison with marks: without spaces, capitals, quotation and bold marks. */
  plain: string;
  isBlank: boolean;
  /** True for a line of a quoted mail. */
  isQuoted: boolean;
};

export function lineOf(text: string): Line {
  const visible = text.replace(INVISIBLE, "");
  const compared = plain(visible);
  const isQuoted = visible.trimStart().startsWith(">");
  return { text, plain: compared, isBlank: compared === "", isQuoted };
}

const MARKS = /^[\s>]+/;

/** The line without its quotation marks. */
export const unquoted = ({ text }: Line): Line =>
  lineOf(text.replace(INVISIBLE, "").replace(MARKS, ""));

/** Normalises the beginning of a line for comparison with marks. */
export function plain(text: string): string {
  const visible = text.replace(INVISIBLE, "");
  const words = trimMarkup(visible).slice(0, MARK_LENGTH).trimEnd();
  return words
    .replace(/[\u00a0\u202f]/g, " ")
    .replaceAll("’", "'")
    .toLowerCase();
}

/** Trims markup with two indexes: a regular expression would take quadratic time. */
function trimMarkup(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && MARKUP.test(text.charAt(start))) start++;
  while (end > start && MARKUP.test(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}
