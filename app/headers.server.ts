import { config } from "./config.server";
import { contentSecurityPolicy } from "./content-security-policy";

type PageScripts = { nonce: string | undefined };

/** Type and content security policy of a document; only hydrated pages carry an inline script. */
export function pageHeaders(headers: Headers, { nonce }: PageScripts) {
  const { paymentOrigins } = config();
  headers.set("content-type", "text/html; charset=utf-8");
  headers.set("content-security-policy", contentSecurityPolicy({ nonce, paymentOrigins }));
}
