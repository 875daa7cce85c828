/**
 * Whether a page of another site sent this write (CSRF). Browsers name the sender in `Origin`, which is
 * `null` in sandboxed frames. Without `Origin`, `Sec-Fetch-Site` decides. Programs send neither and
 * pass. `Origin` is compared with the request's host, as trusted proxies report it. `siteUrl` is
 * accepted as well: the public origin of a site in front of this platform.
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
