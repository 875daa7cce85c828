/**
 * Whether another site's page sent this write (CSRF). Browsers name the sender in `Origin`, which is
 * `null` in sandboxed frames; where they leave it out, `Sec-Fetch-Site` tells. Programs send neither.
 * The host compared with is the one that Remix takes.
 */
export function isForeignWrite({ method, headers }: Pick<Request, "method" | "headers">): boolean {
  if (method === "GET" || method === "HEAD") return false;
  const origin = headers.get("origin");
  if (origin === null) return headers.get("sec-fetch-site") === "cross-site";
  const forwarded = headers.get("x-forwarded-host")?.split(",")[0]?.trim();
  return hostOf(origin) !== (forwarded ?? headers.get("host"));
}

function hostOf(origin: string) {
  return URL.canParse(origin) ? new URL(origin).host : null;
}
