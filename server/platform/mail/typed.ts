const MAX_LENGTH = 120;
/** Also the marks that turn the direction of writing: they make a line read as another one. */
const BREAKS = /[\s\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;
/** Mail programs make links of anything like `name.example`; an invisible joint prevents it. */
const LINK_JOINT = /[.:/@](?=\S)/g;
const WORD_JOINER = "\u2060";

/**
 * What a stranger typed, on one line, of bounded length and without links. Notices are confirmed
 * to an address that anybody may type: the mail must not carry a message of theirs.
 */
export function asTyped(text: string): string {
  const line = text.replace(BREAKS, " ").trim();
  const short = line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH).trimEnd()}…` : line;
  return short.replace(LINK_JOINT, `$&${WORD_JOINER}`);
}
