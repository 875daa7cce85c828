type Sources = {
  /** Nonce of the inline script in a hydrated page. */
  nonce?: string | undefined;
  /** Chromium applies form-action to redirects after a post too, so the bank's pages must be allowed. */
  paymentOrigins: readonly string[];
};

export function contentSecurityPolicy({ nonce, paymentOrigins }: Sources): string {
  return [
    "default-src 'self'",
    ["script-src 'self'", ...(nonce ? [`'nonce-${nonce}'`] : [])].join(" "),
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    ["form-action 'self'", ...paymentOrigins].join(" "),
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "object-src 'none'",
  ].join("; ");
}
