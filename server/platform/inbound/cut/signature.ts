import { plain, type Line } from "./line";
import marks from "./marks.json";

/** What stands below `-- ` is a signature (RFC 3676, 4.3), unless it is longer than any. */
const MAX_LINES = 12;
const MAX_FOOTER = 160;

const FOOTERS = marks.footers.map(plain);

/** Without the signature, and what a mail program adds about itself. Names below a text stay. */
export function withoutSignature(lines: readonly Line[]): Line[] {
  const mark = lines.findLastIndex(({ text }) => text.trimEnd() === "--");
  const isShort = mark > 0 && lines.length - mark - 1 <= MAX_LINES;
  const isBelow = isShort && lines.slice(0, mark).some(({ isBlank }) => !isBlank);
  return withoutFooters(isBelow ? lines.slice(0, mark) : lines);
}

function withoutFooters(lines: readonly Line[]): Line[] {
  const last = lines.findLastIndex((line) => !line.isBlank && !isRule(line) && !isFooter(line));
  return lines.slice(0, last + 1);
}

const isRule = ({ text }: Line) => /^[-_=*\s]{2,}$/.test(text);

const isFooter = ({ plain: text }: Line) =>
  text.length <= MAX_FOOTER && FOOTERS.some((footer) => text.startsWith(footer));
