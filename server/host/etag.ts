import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { readAhead, remaining, type Beginning } from "./read-ahead";
import { isRead, type HostMiddleware } from "./request";

/** Documents, and the data of pages. */
const PAGE = /^text\/(?:html|x-script)\b/;

/**
 * Gives each page that a browser may keep a tag of its content, and answers 304 to a browser that
 * still has it (RFC 9110, 8.8.3 and 13.1.2). The tag is weak: it names the page, not its compression.
 */
export function pageTags(): HostMiddleware {
  return async (context, next) => {
    await next();
    const { status, headers } = context.res;
    const body = context.res.body as ReadableStream<Uint8Array> | null;
    if (!isRead(context.req.method) || status !== 200 || !body || !mayBeKept(headers)) return;
    const page = await tagged(await readAhead(body), headers, context.req.header("if-none-match"));
    // Hono copies the headers of the answer before onto the next one, unless there is none.
    context.res = undefined;
    context.res = page;
  };
}

/** Files bring their own tag; what nobody may keep needs none. */
function mayBeKept(headers: Headers) {
  return (
    PAGE.test(headers.get("content-type") ?? "") &&
    !headers.has("etag") &&
    !headers.get("cache-control")?.includes("no-store")
  );
}

async function tagged(beginning: Beginning, given: Headers, ifNoneMatch: string | undefined) {
  const headers = new Headers(given);
  // What is still being made has no tag yet.
  if (beginning.rest) return new Response(asStream(remaining(beginning)), { headers });
  const etag = `W/"${createHash("sha256").update(beginning.bytes).digest("base64url")}"`;
  headers.set("etag", etag);
  if (!matchesTag(ifNoneMatch, etag)) return new Response(beginning.bytes, { headers });
  headers.delete("content-length");
  return new Response(null, { status: 304, headers });
}

const asStream = (chunks: AsyncIterable<Uint8Array>) =>
  Readable.toWeb(Readable.from(chunks)) as ReadableStream<Uint8Array>;

/** RFC 9110, 13.1.2: compared weakly. */
export function matchesTag(ifNoneMatch: string | undefined, etag: string): boolean {
  const opaque = (tag: string) => tag.trim().replace(/^W\//, "");
  const given = ifNoneMatch?.split(",").map(opaque);
  return given?.some((tag) => tag === "*" || tag === opaque(etag)) ?? false;
}
