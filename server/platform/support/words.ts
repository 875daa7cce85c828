import { foldLetters } from "../language/fold";

/** Words indexed per message, so that one message cannot fill the index. */
const MAX_WORDS = 200;
const MAX_LENGTH = 60;
const MIN_LENGTH = 2;

/** Splits texts into unique words in lower case without accents; an e-mail is also one word. */
export function wordsOf(...texts: string[]): string[] {
  const words = texts.flatMap((text) => createTokens(text).flatMap(partsOf));
  const kept = words.filter((word) => [...word].length >= MIN_LENGTH);
  return [...new Set(kept)].slice(0, MAX_WORDS);
}

export type Term = { word: string; isPrefix: boolean };

/** Splits a query into terms; the last word may be a prefix. */
export function termsOf(query: string): Term[] {
  const words = createTokens(query).flatMap((token) =>
    token.includes("@") ? [token] : partsOf(token),
  );
  const last = words.length - 1;
  const terms = words.map((word, index) => ({ word, isPrefix: index === last }));
  return terms.filter(({ word, isPrefix }) => isPrefix || word.length >= MIN_LENGTH).slice(-10);
}

function createTokens(text: string): string[] {
  return foldLetters(text)
    .split(/[^\p{L}\p{N}@._+-]+/u)
    .filter(Boolean);
}

function partsOf(token: string): string[] {
  const parts = token.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  return (token.includes("@") ? [token, ...parts] : parts).map(truncate);
}

const truncate = (word: string) => [...word].slice(0, MAX_LENGTH).join("");
