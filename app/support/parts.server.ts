import { LinkifyIt } from "linkify-it";

/** A part of a message: plain text, or a link. */
export type Part = { text: string; href?: string };

/**
 * Links in one message; further addresses stay plain text. Nobody writes that many, while ten thousand characters
 * have room for more than a thousand, each of which costs an element in the page and an entry in its data.
 */
export const MAX_LINKS = 20;
/** Words that are searched for links. A word that only looks like an address costs as much as one. */
const MAX_CANDIDATES = 100;
/** Longest word that is searched. */
const ADDRESS_LENGTH = 2_048;

const linkify = new LinkifyIt();
for (const scheme of ["ftp:", "//"]) linkify.add(scheme, null);

/**
 * Splits a message into text and links. E-mail addresses are links as well: one in a message is there to be
 * written to, and is hard to copy on a phone.
 */
export function partsOf(content: string): Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const { index, lastIndex, url, text } of findLinks(content)) {
    if (index > end) parts.push({ text: content.slice(end, index) });
    parts.push({ text, href: url });
    end = lastIndex;
  }
  if (end < content.length) parts.push({ text: content.slice(end) });
  return parts;
}

type Link = { index: number; lastIndex: number; url: string; text: string };

/** Looks at one word after the other, so that nothing after the last link is searched. No link holds a blank. */
function findLinks(content: string): Link[] {
  const links: Link[] = [];
  let candidates = 0;
  for (const { 0: word, index: start } of content.matchAll(/\S+/g)) {
    if (word.length > ADDRESS_LENGTH || !/@|:\/\//.test(word)) continue;
    if (++candidates > MAX_CANDIDATES) break;
    for (const { index, lastIndex, url, text } of linkify.match(word) ?? []) {
      links.push({ index: start + index, lastIndex: start + lastIndex, url, text });
      if (links.length === MAX_LINKS) return links;
    }
  }
  return links;
}
