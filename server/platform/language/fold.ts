/** Lower case without accents, with ligatures as two letters: all spellings of a word compare as equal. */
export function foldLetters(text: string): string {
  const plain = text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return plain.replace(/œ/g, "oe").replace(/æ/g, "ae");
}
