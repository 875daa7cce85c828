const NARROW = "\u202F";
const FIXED = "\u00A0";
const SPACE = `[ ${FIXED}${NARROW}]`;
const ENDS_WORD = String.raw`(?<=[\p{L}\p{N}»”)\]%€…])`;
const UNIT = "°C|km|cm|mm|m|kg|g|h|min|s";

const rules: readonly (readonly [RegExp, string])[] = [
  [/\.{3}/g, "…"],
  [/(?<=\p{L})'/gu, "’"],
  [new RegExp(`«${SPACE}*`, "g"), `«${FIXED}`],
  [new RegExp(`(?<!${SPACE})${SPACE}*»`, "g"), `${FIXED}»`],
  [new RegExp(`(?<!${SPACE})${SPACE}+([;!?]+)`, "g"), `${NARROW}$1`],
  [new RegExp(`${ENDS_WORD}([;!?]+)(?=\\s|$|[»”")…,])`, "gu"), `${NARROW}$1`],
  [new RegExp(`(?<!${SPACE})${SPACE}+:`, "g"), `${FIXED}:`],
  [new RegExp(`${ENDS_WORD}:(?=\\s|$)`, "gu"), `${FIXED}:`],
  // Digit groups, percent and units as `Intl` formats them in French.
  [new RegExp(`(?<=(?<!\\d)\\d{1,3})${SPACE}(?=\\d{3}(?!\\d))`, "g"), NARROW],
  [new RegExp(`(?<=\\d)${SPACE}?%`, "g"), `${NARROW}%`],
  [new RegExp(`(?<=\\d)${SPACE}?€`, "g"), `${FIXED}€`],
  [new RegExp(`(?<=\\d)${SPACE}(?=(?:${UNIT})(?![\\p{L}\\d’]))`, "gu"), FIXED],
  [new RegExp(`(?<=\\d${FIXED}h)${SPACE}(?=\\d)`, "g"), FIXED],
];

/**
 * Applies French typography to a plain text; applying it twice changes nothing.
 * @param before the character before the text, when the text is part of a sentence
 */
export function applyTypography(text: string, before = ""): string {
  const parts = splitAddresses(before + text);
  const set = parts.map((part, i) => (i % 2 ? part : setSentence(part)));
  return set.join("").slice(setSentence(before).length);
}

function setSentence(text: string) {
  return rules.reduce((set, [pattern, replacement]) => set.replace(pattern, replacement), text);
}

/**
 * Splits a text into sentences (even indexes) and addresses (odd ones), whose punctuation must not
 * change.
 */
function splitAddresses(text: string): string[] {
  const parts: string[] = [];
  let sentence = "";
  for (const token of text.split(/(\s+)/u)) {
    const start = addressStart(token);
    sentence += token.slice(0, start);
    if (start === token.length) continue;
    parts.push(sentence, token.slice(start));
    sentence = "";
  }
  return [...parts, sentence];
}

function addressStart(token: string): number {
  if (token.slice(1, -1).includes("@")) return 0;
  const start = token.search(/(?:https?:\/\/|www\.)\S/u);
  return start < 0 ? token.length : start;
}
