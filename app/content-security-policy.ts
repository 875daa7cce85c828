type Sources = {
  /** Chromium applies form-action to redirects after a post too, so the bank's pages must be allowed. */
  paymentOrigins: readonly string[];
};

export function contentSecurityPolicy({ paymentOrigins }: Sources): string {
  return [
    "default-src 'self'",
    // No page has an inline script. A block of JSON is no script, and rules what to fetch run nothing.
    "script-src 'self' 'inline-speculation-rules'",
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
