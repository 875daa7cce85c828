/** Ten megabytes of an attachment have about 140,000 lines of 76 characters. */
const MAX_LINES = 300_000;

const LINE_END = 0x0a;

/** The parser of mails makes an object of each line: millions of short ones take seconds, and all of its memory. */
export function hasTooManyLines(raw: Buffer): boolean {
  let lines = 0;
  for (let at = raw.indexOf(LINE_END); at >= 0; at = raw.indexOf(LINE_END, at + 1)) {
    if (++lines > MAX_LINES) return true;
  }
  return false;
}
