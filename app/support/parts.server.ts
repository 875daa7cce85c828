import { LinkifyIt } from "linkify-it";

/** A piece of what somebody wrote: plain, or the address it links to. */
export type Part = { text: string; href?: string };

const linkify = new LinkifyIt();
for (const scheme of ["ftp:", "//"]) linkify.add(scheme, null);

/** Text stays text; only its addresses become links. */
export function partsOf(content: string): Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const { index, lastIndex, url, text } of linkify.match(content) ?? []) {
    if (index > end) parts.push({ text: content.slice(end, index) });
    parts.push({ text, href: url });
    end = lastIndex;
  }
  if (end < content.length) parts.push({ text: content.slice(end) });
  return parts;
}
