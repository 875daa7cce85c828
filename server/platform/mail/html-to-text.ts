import { compile } from "html-to-text";

/** A reply has at most ten thousand characters, but may have much markup around it. */
const LIMITS = { maxInputLength: 1_000_000, maxDepth: 200 };

/** Converts HTML to text: one line per paragraph, without pictures and link addresses. */
export const htmlToText = compile({
  wordwrap: false,
  limits: LIMITS,
  selectors: [
    { selector: "img", format: "skip" },
    { selector: "a", options: { ignoreHref: true } },
    ...["h1", "h2", "h3", "h4", "h5", "h6"].map((selector) => ({
      selector,
      options: { uppercase: false },
    })),
  ],
});
