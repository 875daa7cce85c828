/**
 * Whether another site's page sent this write (CSRF). Browsers name the sender in `Origin`, which is
 * `null` in sandboxed frames; where they leave it out, `Sec-Fetch-Site` tells. Programs send neither.
 * The host compared with is the request's own, as the proxies that are trusted tell it; `siteUrl` is the
 * public origin of a platform that stands behind another site, whose pages lead people here.
 */
export function isForeignWrite(
  { method, headers, url }: Pick<Request, "method" | "headers" | "url">,
  siteUrl?: string,
): boolean {
  if (method === "GET" || method === "HEAD") return false;
  const origin = headers.get("origin");
  if (origin === null) return headers.get("sec-fetch-site") === "cross-site";
  return hostOf(origin) !== new URL(url).host && origin !== siteUrl;
}

function hostOf(origin: string) {
  return URL.canParse(origin) ? new URL(origin).host : null;
}
