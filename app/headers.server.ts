import { config } from "./config.server";
import { contentSecurityPolicy } from "./content-security-policy";

type Page = { nonce: string | undefined; personal: boolean };

/**
 * Type and policies of a document. Only hydrated pages carry an inline script; the address of a
 * personal one goes to no other site: `same-origin`, as `no-referrer` would make its posts carry
 * `Origin: null`.
 */
export function setPageHeaders(headers: Headers, { nonce, personal }: Page) {
  const { paymentOrigins } = config();
  headers.set("content-type", "text/html; charset=utf-8");
  if (personal) headers.set("referrer-policy", "same-origin");
  headers.set("content-security-policy", contentSecurityPolicy({ nonce, paymentOrigins }));
}
