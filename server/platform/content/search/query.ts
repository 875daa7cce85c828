import { beginning, partsOf, stem } from "./stems";

/** A word searched for: by its stem, and the last one also by its beginning. */
export type Term = { word: string; stem: string; prefix: string | null };

/** Nobody types more, and each costs a look into the index. */
const MAX_TERMS = 8;
/** Two letters begin too many words, and would tell more than is asked. */
const MIN_PREFIX = 3;

/** The terms of what somebody typed; none where it has no word that counts. */
export function termsOf(query: string): Term[] {
  const words = partsOf(query);
  // A space or a sign after the last word says that it is whole.
  const isTyping = /[\p{L}\p{N}\p{M}]$/u.test(query.trimEnd());
  const terms = words.map((word, index) => ({
    word,
    stem: stem(word),
    prefix: isTyping && index === words.length - 1 ? prefixOf(word) : null,
  }));
  const unlike = new Map(terms.map((term) => [term.stem, term]));
  return [...unlike.values()].slice(-MAX_TERMS);
}

function prefixOf(word: string): string | null {
  const prefix = beginning(word);
  return [...prefix].length >= MIN_PREFIX ? prefix : null;
}

/** Whether a stem of a text is one that the term looks for. */
export const isFoundBy = (term: Term, found: string): boolean =>
  found === term.stem || (term.prefix !== null && found.startsWith(term.prefix));
