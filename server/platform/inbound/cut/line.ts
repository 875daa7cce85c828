/** As much of a line as marks are looked for in: none is longer. The words stay whole. */
const MARK_LENGTH = 1_000;

const INVISIBLE = /[\u200b-\u200f\ufeff\u2060]/g;
const MARKUP = /[*_\s]/;

export type Line = {
  text: string;
  /** As marks are compared: whatever the spaces, quotation marks, capitals and bold type. */
  plain: string;
  isBlank: boolean;
  /** Of an earlier mail. */
  isQuoted: boolean;
};

export function lineOf(text: string): Line {
  const visible = text.replace(INVISIBLE, "");
  const compared = plain(visible);
  const isQuoted = visible.trimStart().startsWith(">");
  return { text, plain: compared, isBlank: compared === "", isQuoted };
}

/** The beginning of a text, from which all marks can be told. */
export function plain(text: string): string {
  const visible = text.replace(INVISIBLE, "");
  const words = withoutMarkup(visible).slice(0, MARK_LENGTH).trimEnd();
  return words
    .replace(/[\u00a0\u202f]/g, " ")
    .replaceAll("’", "'")
    .toLowerCase();
}

/** An expression would look for the end of the text again from each of its signs. */
function withoutMarkup(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && MARKUP.test(text.charAt(start))) start++;
  while (end > start && MARKUP.test(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}
