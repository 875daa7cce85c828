import { LRUCache } from "lru-cache";
import { foldLetters } from "../../language/fold";
import stopWords from "./stop-words.fr.json";

/** Runs of letters and digits, with the marks of decomposed letters. An apostrophe ends a word: l’amour. */
const WORD = /[\p{L}\p{N}\p{M}]+/gu;
const NO_WORD = /[^\p{L}\p{N}]+/u;
const LETTERS = /^\p{L}+$/u;
const DOUBLED = /(\p{L})\1+/gu;
/** Longer words are cut: nobody searches for them, and each is stored. */
const MAX_LENGTH = 40;
/** Endings are cut off words of at least this length: shorter ones are often words of their own. */
const MIN_STEM = 4;
const KNOWN_WORDS = 20_000;

const isStopWord = new Set(stopWords);
/** Texts repeat their words, and cutting one is slower than finding it. */
const known = new LRUCache<string, string[]>({ max: KNOWN_WORDS });

/** A word of a text, with its place and what it is found by. A stop word has no stem. */
export type Word = { start: number; end: number; stems: readonly string[] };

export function* wordsIn(text: string): Generator<Word> {
  for (const { 0: word, index } of text.matchAll(WORD)) {
    yield { start: index, end: index + word.length, stems: stemsOf(word) };
  }
}

/** All stems of a text, in its order and as often as they occur. */
export const stemsIn = (text: string): string[] => [...wordsIn(text)].flatMap(({ stems }) => stems);

/** The stems of one word of a text: none of a stop word, several where a sign decomposes into words. */
function stemsOf(word: string): string[] {
  let stems = known.get(word);
  if (!stems) known.set(word, (stems = partsOf(word).map(stem)));
  return stems;
}

/** The words that count, in lower case and without accents. */
export const partsOf = (text: string): string[] =>
  foldLetters(text)
    .split(NO_WORD)
    .filter((part) => part && !isStopWord.has(part) && !isLetter(part));

/** A single letter is what an elision leaves. A digit is the number of a house. */
const isLetter = (part: string) => [...part].length === 1 && LETTERS.test(part);

/**
 * The stem of a folded word: what its singular and plural, its genders and most forms of its verb have in
 * common. The rules are those of J. Savoy's light stemmer of French (Lucene's `FrenchLightStemmer`) for
 * inflections. Its rules for derived words are left out, so that "constellation" stays apart from "conseil".
 * Endings are cut again and again, down to four letters, so that "aimer", "aimée" and "aime" meet.
 */
export function stem(word: string): string {
  if (!LETTERS.test(word)) return cut(word);
  let rest = withoutEnding(singular(word)).replace(DOUBLED, "$1");
  while (rest.length > MIN_STEM && /[er]$/.test(rest)) rest = rest.slice(0, -1);
  return cut(rest);
}

/** A word that is still being typed, written as stems are. */
export const beginning = (word: string): string => cut(word.replace(DOUBLED, "$1"));

/** "astraux" and "astral", "nouveaux" and "nouvelle", "heureux" and "heureuse". */
function singular(word: string): string {
  if (word.length > MIN_STEM && /[^e]aux?$/.test(word)) return word.replace(/aux?$/, "al");
  if (word.length > MIN_STEM && /eaux?$/.test(word)) return word.replace(/eaux?$/, "el");
  return word.length >= MIN_STEM && /[sx]$/.test(word) ? word.slice(0, -1) : word;
}

function withoutEnding(word: string): string {
  if (word.length > 7 && word.endsWith("ement")) return word.slice(0, -4);
  if (word.length > 5 && word.endsWith("euse")) return word.slice(0, -2);
  if (word.length > 5 && word.endsWith("ive")) return `${word.slice(0, -2)}f`;
  return word;
}

const cut = (word: string) => [...word].slice(0, MAX_LENGTH).join("");
