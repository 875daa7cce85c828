import { compile } from "html-to-text";

/** A reply has at most ten thousand characters, but may have much markup around it. */
const MAX_HTML = 1_000_000;

/** Stands where text lies deeper than the limit: it is no character, and in no text. */
const CUT = "\u{FDD0}";

const convert = compile({
  wordwrap: false,
  limits: { maxDepth: 200, ellipsis: CUT },
  selectors: [
    { selector: "img", format: "skip" },
    { selector: "a", options: { ignoreHref: true } },
    ...["h1", "h2", "h3", "h4", "h5", "h6"].map((selector) => ({
      selector,
      options: { uppercase: false },
    })),
  ],
});

/** The address of a picture that stands within the mail. */
const EMBEDDED = /(?<=\bsrc=["'])data:image\/[^"'<>]+/gi;

/**
 * Converts HTML to text: one line per paragraph, without pictures and link addresses. Null for HTML that is too long
 * or too deep to be read whole.
 */
export function htmlToText(html: string): string | null {
  const words = html.replace(EMBEDDED, "").replaceAll(CUT, "");
  if (words.length > MAX_HTML) return null;
  const text = convert(words);
  return text.includes(CUT) ? null : text;
}
