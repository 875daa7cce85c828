import { config } from "./config.server";

type PageScripts = { nonce: string | undefined };

/** Type and content security policy of a document; only hydrated pages carry an inline script. */
export function pageHeaders(headers: Headers, { nonce }: PageScripts) {
  headers.set("content-type", "text/html; charset=utf-8");
  headers.set("content-security-policy", contentSecurityPolicy(nonce));
}

function contentSecurityPolicy(nonce: string | undefined) {
  const scripts = nonce ? `'self' 'nonce-${nonce}'` : "'self'";
  // Chromium applies form-action to where a form is redirected: the bank's page must be allowed.
  const forms = ["'self'", ...config().paymentOrigins].join(" ");
  return [
    "default-src 'self'",
    `script-src ${scripts}`,
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    `form-action ${forms}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "object-src 'none'",
  ].join("; ");
}
