import { divideReply, type Divided } from "./reply";

const WORDS = /[\p{L}\p{N}]+/gu;

/**
 * Joins the plain text and the text of the HTML of one mail. Usually both say the same, and the plain text is taken.
 * But a server may add a plain text below a reply in HTML: then the HTML is taken if it has all words of the plain
 * text, and otherwise both.
 */
export function divideBoth(plain: string, html: string): Divided {
  const [ofPlain, ofHtml] = [countWords(plain), countWords(html)];
  if (isWithin(ofHtml, ofPlain)) return divideReply(plain);
  if (isWithin(ofPlain, ofHtml)) return divideReply(html);
  const [first, second] = [divideReply(plain), divideReply(html)];
  return {
    own: `${first.own}\n\n${second.own}`.trim(),
    cut: [...first.cut, ...second.cut],
    isShort: first.isShort || second.isShort,
  };
}

type Counts = ReadonlyMap<string, number>;

function countWords(text: string): Counts {
  const counts = new Map<string, number>();
  for (const [word] of text.toLowerCase().matchAll(WORDS))
    counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

const isWithin = (some: Counts, all: Counts) =>
  [...some].every(([word, count]) => count <= (all.get(word) ?? 0));
