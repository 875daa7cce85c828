import { compile } from "html-to-text";

/** A reply has ten thousand characters at most; around it there may be much markup. */
const LIMITS = { maxInputLength: 1_000_000, maxDepth: 200 };

/** Paragraphs stay on one line, pictures and the addresses behind links stay out. */
export const htmlText = compile({
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
