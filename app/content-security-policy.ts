type Sources = {
  /** Of the one inline script that a hydrated page carries. */
  nonce?: string | undefined;
  /** Chromium applies form-action to where a form is redirected: the bank's page must be allowed. */
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
