import { config } from "./config.server";
import { contentSecurityPolicy } from "./content-security-policy";

type Page = { personal: boolean; indexed: boolean };

/**
 * Sets type and policies of a document. A personal page sends its address to no other site. The
 * policy is `same-origin`, because with `no-referrer` its posts would carry `Origin: null`.
 */
export function setPageHeaders(headers: Headers, { personal, indexed }: Page) {
  const { paymentOrigins } = config();
  headers.set("content-type", "text/html; charset=utf-8");
  if (personal) headers.set("referrer-policy", "same-origin");
  // A header and no tag: it costs no script where a page hydrates.
  if (!indexed) headers.set("x-robots-tag", "noindex");
  headers.set("content-security-policy", contentSecurityPolicy({ paymentOrigins }));
}
