import { compile } from "html-to-text";
import { Parser } from "htmlparser2";

/** A reply has at most ten thousand characters, but may have much markup around it. */
const MAX_HTML = 1_000_000;

/** Elements in one another. The conversion counts them exactly, but only after work that grows with their square. */
const MAX_DEPTH = 200;
/** A long thread of Outlook's has some twenty thousand in a million characters. */
const MAX_ELEMENTS = 50_000;

/** Stands where text lies deeper than the limit: it is no character, and in no text. */
const CUT = "\u{FDD0}";

const convert = compile({
  wordwrap: false,
  // By default only what is within `body` elements: a quoted mail may bring one, and what stands around it is typed.
  baseElements: { selectors: [] },
  limits: { maxDepth: MAX_DEPTH, ellipsis: CUT },
  selectors: [
    ...["img", "title"].map((selector) => ({ selector, format: "skip" })),
    { selector: "a", options: { ignoreHref: true } },
    ...["h1", "h2", "h3", "h4", "h5", "h6"].map((selector) => ({
      selector,
      options: { uppercase: false },
    })),
  ],
});

/** The address of a picture that stands within the mail. */
const EMBEDDED = /(?<=\bsrc=["'])data:image\/[^"'<>]+/gi;

export const withoutPictures = (html: string) => html.replace(EMBEDDED, "");

/**
 * Converts HTML to text: one line per paragraph, without pictures and link addresses. Null for HTML that is too long,
 * too deep or of too many elements to be read whole.
 */
export function htmlToText(html: string): string | null {
  const words = withoutPictures(html).replaceAll(CUT, "");
  if (words.length > MAX_HTML || isTooMuchMarkup(words)) return null;
  const text = convert(words);
  return text.includes(CUT) ? null : text;
}

/** Stops at the first element too many, so that it takes no longer than a reading of HTML that is not. */
function isTooMuchMarkup(html: string): boolean {
  let [depth, elements, isTooMuch] = [0, 0, false];
  const parser = new Parser({
    onopentagname() {
      depth++;
      elements++;
      // Twice as many, since some stand around the text itself.
      if (depth <= 2 * MAX_DEPTH && elements <= MAX_ELEMENTS) return;
      isTooMuch = true;
      parser.pause();
    },
    onclosetag: () => void depth--,
  });
  parser.write(html);
  return isTooMuch;
}
