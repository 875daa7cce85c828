import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { readAhead, remaining, type BodyStart } from "./read-ahead";
import { isReadMethod, type HostMiddleware } from "./request";

/** Documents, the page data that the router loads, feeds, the sitemap and `robots.txt`. */
const PAGE = /^(?:text\/(?:html|x-script|plain)|application\/(?:atom\+)?xml)\b/;

/**
 * Adds an `ETag` to each page that a browser may cache, and answers 304 to a browser that still has the
 * page (RFC 9110, 8.8.3 and 13.1.2). The tag is weak: it is the same for each compression. An answer that brings
 * a tag keeps it: only who made it can tag the answer to `HEAD`, which has no body.
 */
export function tagPages(): HostMiddleware {
  return async (context, next) => {
    await next();
    const { status } = context.res;
    if (!isReadMethod(context.req.method) || status !== 200) return;
    if (!mayBeCached(context.res.headers)) return;
    const own = context.res.headers.get("etag");
    if (own !== null) {
      if (!matchesTag(context.req.header("if-none-match"), own)) return;
      const unchanged = notModified(new Headers(context.res.headers));
      context.res = undefined;
      context.res = unchanged;
      return;
    }
    const body: ReadableStream<Uint8Array> | null = context.res.body;
    // Read after the body, which gives the answer other headers.
    const { headers } = context.res;
    if (!body) return;
    const page = await tagPage(await readAhead(body), headers, context.req.header("if-none-match"));
    // Hono copies the headers of a previous response onto the new one, unless it is cleared first.
    context.res = undefined;
    context.res = page;
  };
}

/** An uncacheable page needs no tag. */
function mayBeCached(headers: Headers) {
  return (
    PAGE.test(headers.get("content-type") ?? "") &&
    !headers.get("cache-control")?.includes("no-store")
  );
}

async function tagPage(bodyStart: BodyStart, given: Headers, ifNoneMatch: string | undefined) {
  const headers = new Headers(given);
  // A body that is still being produced cannot be hashed.
  if (bodyStart.rest) return new Response(asStream(remaining(bodyStart)), { headers });
  const etag = `W/"${createHash("sha256").update(bodyStart.bytes).digest("base64url")}"`;
  headers.set("etag", etag);
  if (!matchesTag(ifNoneMatch, etag)) return new Response(bodyStart.bytes, { headers });
  return notModified(headers);
}

function notModified(headers: Headers) {
  headers.delete("content-length");
  return new Response(null, { status: 304, headers });
}

/** The cast is safe: Node declares its own type for the same stream class. */
const asStream = (chunks: AsyncIterable<Uint8Array>) =>
  Readable.toWeb(Readable.from(chunks)) as ReadableStream<Uint8Array>;

/** Compares weakly (RFC 9110, 13.1.2). */
export function matchesTag(ifNoneMatch: string | undefined, etag: string): boolean {
  const opaque = (tag: string) => tag.trim().replace(/^W\//, "");
  const given = ifNoneMatch?.split(",").map(opaque);
  return given?.some((tag) => tag === "*" || tag === opaque(etag)) ?? false;
}
