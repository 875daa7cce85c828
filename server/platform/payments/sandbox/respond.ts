import type { Page } from "./store";
import type { Html } from "./views/layout";
import { STYLE_HASH } from "./views/style";

type Extra = { page?: Page; headers?: Record<string, string> };

/**
 * Responds with a document that loads and runs nothing. Its URL is secret, so the referrer is the origin
 * only. The form may post to the bank and, by redirect, return to the merchant.
 */
export async function respond(status: number, document: Html, { page, headers }: Extra = {}) {
  const merchant = page ? ` ${new URL(page.return_url).origin}` : "";
  return new Response(String(await document), {
    status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "content-security-policy": [
        "default-src 'none'",
        `style-src '${STYLE_HASH}'`,
        `form-action 'self'${merchant}`,
        "base-uri 'none'",
        "frame-ancestors 'none'",
      ].join("; "),
      "referrer-policy": "strict-origin",
      "x-content-type-options": "nosniff",
      "x-robots-tag": "noindex",
      ...headers,
    },
  });
}

/** Redirects with 303, so that the browser uses GET. */
export function redirectTo(location: string) {
  return new Response(null, { status: 303, headers: { location, "cache-control": "no-store" } });
}
