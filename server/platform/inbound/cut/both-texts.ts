import { divideReply, type Divided } from "./reply";

/** More lines with the same beginning are not compared: the work would grow with the square of their number. */
const MAX_COMPARED = 50;

/** A word, or a sign that stands for one. */
const WORDS = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*|\p{So}/gu;
/** The address behind a link, which programs write into plain text only. */
const LINK_TARGET = /<(?:https?:|mailto:)[^<>\s]*>/gi;
const NO_WORDS = /^[-_=*>|~#\s]*$/;

/**
 * Joins the plain text and the text of the HTML of one mail. Usually both say the same, and the plain text is taken.
 * But a server may add a plain text below a reply in HTML: each line of either is in what is kept.
 */
export function divideBoth(plain: string, html: string): Divided {
  const [ofPlain, ofHtml] = [divideReply(plain), divideReply(html)];
  const isInPlain = finderIn([ofPlain.own, ...ofPlain.cut].join("\n"));
  const missing = linesOf(ofHtml.own).filter((line) => !isInPlain(line));
  const isCutMissing = ofHtml.cut.flatMap(linesOf).some((line) => !isInPlain(line));
  return {
    own: joinOwn(ofPlain.own, ofHtml.own, missing),
    cut: isCutMissing ? [...ofPlain.cut, ...ofHtml.cut] : ofPlain.cut,
    isShort: ofPlain.isShort || ofHtml.isShort,
  };
}

function joinOwn(plain: string, html: string, missing: readonly string[]): string {
  if (missing.length === 0) return plain;
  const isInHtml = finderIn(html);
  if (linesOf(plain).every(isInHtml)) return html;
  return `${plain}\n\n${missing.join("\n")}`;
}

const linesOf = (text: string) => text.split(/\r\n|\r|\n/).filter((line) => !NO_WORDS.test(line));

/** Tells whether a line stands in a text as one line or several whole ones, which programs break at will. */
function finderIn(text: string): (line: string) => boolean {
  const words: string[] = [];
  const startsByWord = new Map<string, number[]>();
  const ends = new Set<number>();
  for (const line of linesOf(text.replace(LINK_TARGET, " "))) {
    const [first = "", ...others] = wordsOf(line);
    const starts = startsByWord.get(first);
    if (!starts) startsByWord.set(first, [words.length]);
    else if (starts.length < MAX_COMPARED) starts.push(words.length);
    words.push(first, ...others);
    ends.add(words.length);
  }
  return (line) => {
    const sought = wordsOf(line);
    const starts = startsByWord.get(sought[0] ?? "") ?? [];
    return starts.some(
      (start) =>
        ends.has(start + sought.length) && sought.every((word, at) => words[start + at] === word),
    );
  };
}

/** A line of other signs, such as "?", counts as one word. */
const wordsOf = (line: string): readonly string[] =>
  line.toLowerCase().match(WORDS) ?? [line.trim()];
