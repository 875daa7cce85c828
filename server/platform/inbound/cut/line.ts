const MARKUP = /^[*_\s]+|[*_\s]+$/g;
const INVISIBLE = /[\u200b-\u200f\ufeff\u2060]/g;

/** A line as marks are compared: whatever the spaces, quotation marks, capitals and bold type. */
export const plain = (line: string) =>
  line
    .replace(/[\u00a0\u202f]/g, " ")
    .replace(INVISIBLE, "")
    .replaceAll("’", "'")
    .replace(MARKUP, "")
    .toLowerCase();

export const isBlank = (line: string) => plain(line) === "";

/** Of an earlier mail. */
export const isQuoted = (line: string) => line.replace(INVISIBLE, "").trimStart().startsWith(">");
