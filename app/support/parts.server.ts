import { LinkifyIt } from "linkify-it";

/** A part of a message: plain text, or a link. */
export type Part = { text: string; href?: string };

const linkify = new LinkifyIt();
for (const scheme of ["ftp:", "//"]) linkify.add(scheme, null);

/** Splits a message into text and links. */
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
