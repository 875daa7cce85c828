type Sources = {
  /** Chromium applies form-action to redirects after a post too, so the bank's pages must be allowed. */
  paymentOrigins: readonly string[];
  /** What a page loads from others, after consent. */
  opened?: Record<"script" | "connect" | "image" | "style", readonly string[]>;
};

const NOTHING = { script: [], connect: [], image: [], style: [] };

export function contentSecurityPolicy({ paymentOrigins, opened = NOTHING }: Sources): string {
  return [
    "default-src 'self'",
    // No page has an inline script. A block of JSON is no script, and rules what to fetch run nothing.
    directive("script-src 'self' 'inline-speculation-rules'", opened.script),
    directive("style-src 'self'", opened.style),
    directive("img-src 'self' data:", opened.image),
    "font-src 'self'",
    directive("connect-src 'self'", opened.connect),
    directive("form-action 'self'", paymentOrigins),
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "object-src 'none'",
  ].join("; ");
}

const directive = (own: string, others: readonly string[]) => [own, ...others].join(" ");
