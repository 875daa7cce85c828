import { plain, type Line } from "./line";
import marks from "./marks.json";

/** Text below `-- ` is a signature (RFC 3676, 4.3), unless it has more lines than this. */
const MAX_LINES = 12;
/** Below `--`, with which people also divide their text, it is one only if it is a single line, such as a name. */
const MAX_UNSURE_LINES = 1;
const MAX_FOOTER = 160;

const FOOTERS = marks.footers.map(plain);

/** Removes the signature and the footer of the mail program. A name below the text stays. */
export function dropSignature(lines: readonly Line[]): Line[] {
  const mark = lines.findLastIndex(({ text }) => text.trimEnd() === "--");
  const isBelow =
    mark > 0 && isShort(lines, mark) && lines.slice(0, mark).some(({ isBlank }) => !isBlank);
  return dropFooters(isBelow ? lines.slice(0, mark) : lines);
}

function isShort(lines: readonly Line[], mark: number): boolean {
  const below = lines.slice(mark + 1);
  if (lines[mark]?.text !== "--") return below.length <= MAX_LINES;
  return below.filter(({ isBlank }) => !isBlank).length <= MAX_UNSURE_LINES;
}

function dropFooters(lines: readonly Line[]): Line[] {
  const last = lines.findLastIndex((line) => !line.isBlank && !isRule(line) && !isFooter(line));
  return lines.slice(0, last + 1);
}

const DEVICES = new Set(marks.devices.map(plain));

/** What a phone adds by itself, and nothing else: "Envoyé de mon iPhone". Nobody typed it. */
export const isDeviceLine = (text: string) => DEVICES.has(plain(text).replace(/\.$/, ""));

const isRule = ({ text }: Line) => /^[-_=*\s]{2,}$/.test(text);

const isFooter = ({ plain: text }: Line) =>
  text.length <= MAX_FOOTER && FOOTERS.some((footer) => text.startsWith(footer));
