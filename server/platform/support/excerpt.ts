const LENGTH = 140;

/** The beginning of a text on one line; characters are never cut in half. */
export function excerptOf(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  const letters = [...line];
  return letters.length <= LENGTH
    ? line
    : `${letters
        .slice(0, LENGTH - 1)
        .join("")
        .trimEnd()}…`;
}
