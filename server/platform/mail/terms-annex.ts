import { htmlToText } from "./html-to-text";
import type { Annex } from "./draft";
import type { Site, TermsText } from "./letters";

/**
 * The terms in full, below a letter that a person keeps: a link is no durable medium. Links of the
 * terms lead to pages of the site, which a mail must name in full.
 */
export function termsAnnex({ title, html }: TermsText, site: Site): Annex {
  const text = htmlToText(html);
  if (text === null) throw new Error("The terms are too long or too deep to stand in a mail");
  return {
    title,
    text,
    html: html.replaceAll('href="/', `href="${site.url}/`),
  };
}
