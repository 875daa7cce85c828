const NARROW = "\u202F";
const FIXED = "\u00A0";
const SPACE = `[ ${FIXED}${NARROW}]`;
const ENDS_WORD = String.raw`(?<=[\p{L}\p{N}»”)\]%€…])`;
const UNIT = "°C|km|cm|mm|m|kg|g|h|min|s";

/** Addresses keep their own punctuation. */
const ADDRESS = /(?:https?:\/\/|www\.)\S+|\S+@\S+/u;

const rules: readonly (readonly [RegExp, string])[] = [
  [/\.{3}/g, "…"],
  [/(?<=\p{L})'/gu, "’"],
  [new RegExp(`«${SPACE}*`, "g"), `«${FIXED}`],
  [new RegExp(`${SPACE}*»`, "g"), `${FIXED}»`],
  [new RegExp(`${SPACE}+([;!?]+)`, "g"), `${NARROW}$1`],
  [new RegExp(`${ENDS_WORD}([;!?]+)(?=\\s|$|[»”")…,])`, "gu"), `${NARROW}$1`],
  [new RegExp(`${SPACE}+:`, "g"), `${FIXED}:`],
  [new RegExp(`${ENDS_WORD}:(?=\\s|$)`, "gu"), `${FIXED}:`],
  // Groups of three digits, percent and units as `Intl` writes them in French.
  [new RegExp(`(?<=(?<!\\d)\\d{1,3})${SPACE}(?=\\d{3}(?!\\d))`, "g"), NARROW],
  [new RegExp(`(?<=\\d)${SPACE}?%`, "g"), `${NARROW}%`],
  [new RegExp(`(?<=\\d)${SPACE}?€`, "g"), `${FIXED}€`],
  [new RegExp(`(?<=\\d)${SPACE}(?=(?:${UNIT})(?![\\p{L}\\d’]))`, "gu"), FIXED],
  [new RegExp(`(?<=\\d${FIXED}h)${SPACE}(?=\\d)`, "g"), FIXED],
];

/**
 * French typography of a plain text; doing it twice changes nothing more.
 * @param before the character that stands before the text, when it was cut out of a sentence
 */
export function typography(text: string, before = ""): string {
  const parts = (before + text).split(new RegExp(`(${ADDRESS.source})`, "u"));
  const set = parts.map((part, i) => (i % 2 ? part : setSentence(part)));
  return set.join("").slice(setSentence(before).length);
}

function setSentence(text: string) {
  return rules.reduce((set, [pattern, replacement]) => set.replace(pattern, replacement), text);
}
