const MAX_LENGTH = 120;
/** White space, control characters and direction marks, which could make a line read differently. */
const BREAKS = /[\s\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;
/** Mail programs turn `name.example` into a link; an invisible character after the dot prevents it. */
const LINK_JOINT = /[.:/@](?=\S)/g;
const WORD_JOINER = "\u2060";

/**
 * Makes unverified text harmless in a mail: one line, limited length, no links. A stranger can type any
 * address into a form and must not be able to send it a message of their own.
 */
export function sanitizeTyped(text: string): string {
  const line = text.replace(BREAKS, " ").trim();
  const letters = [...line];
  const short =
    letters.length > MAX_LENGTH ? `${letters.slice(0, MAX_LENGTH).join("").trimEnd()}…` : line;
  return short.replace(LINK_JOINT, `$&${WORD_JOINER}`);
}
