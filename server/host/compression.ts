import { pipeline, Readable } from "node:stream";
import { promisify } from "node:util";
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from "node:zlib";
import { isCompressible, MIN_COMPRESSED_BYTES, negotiateEncoding, type Encoding } from "./encoding";
import { readAhead, remaining, type Beginning } from "./read-ahead";
import type { HostMiddleware } from "./request";

/** Chosen by measurement: docs/decisions/0005-own-host.md. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };
const GZIP = { level: 6 };

/** Compresses what is made for this request; files come compressed from the build. */
export function compression(): HostMiddleware {
  return async (context, next) => {
    await next();
    const { headers } = context.res;
    const body = context.res.body as ReadableStream<Uint8Array> | null;
    if (!mayCompress(headers)) return;
    context.header("vary", varyByEncoding(headers.get("vary")));
    const encoding = negotiateEncoding(context.req.header("accept-encoding"));
    if (!body || !encoding) return;
    const response = await compressed(context.res, body, encoding);
    // Hono copies the headers of the answer before onto the next one, unless there is none.
    context.res = undefined;
    context.res = response;
  };
}

function mayCompress(headers: Headers) {
  return (
    isCompressible(headers.get("content-type")) &&
    !headers.has("content-encoding") &&
    !headers.get("cache-control")?.includes("no-transform")
  );
}

async function compressed(
  response: Response,
  body: ReadableStream<Uint8Array>,
  encoding: Encoding,
) {
  const beginning = await readAhead(body);
  const { status } = response;
  const headers = new Headers(response.headers);
  headers.delete("content-length");
  if (!beginning.rest && beginning.bytes.byteLength < MIN_COMPRESSED_BYTES) {
    return new Response(beginning.bytes, { status, headers });
  }
  headers.set("content-encoding", encoding);
  weakenTag(headers);
  return new Response(await encode(beginning, encoding), { status, headers });
}

/** At once when all is there; otherwise chunk by chunk, so that what is deferred holds nothing up. */
async function encode(beginning: Beginning, encoding: Encoding) {
  if (!beginning.rest) {
    const bytes = await (encoding === "br"
      ? promisify(brotliCompress)(beginning.bytes, BROTLI)
      : promisify(gzip)(beginning.bytes, GZIP));
    return new Uint8Array(bytes);
  }
  const encoder =
    encoding === "br"
      ? createBrotliCompress({ ...BROTLI, flush: constants.BROTLI_OPERATION_FLUSH })
      : createGzip({ ...GZIP, flush: constants.Z_SYNC_FLUSH });
  // A failure destroys the encoder, and with it the response: nothing else is to be done here.
  const stream = pipeline(Readable.from(remaining(beginning)), encoder, () => undefined);
  return Readable.toWeb(stream) as ReadableStream<Uint8Array>;
}

/** A strong tag names bytes that are no longer these (RFC 9110, 8.8.1). */
function weakenTag(headers: Headers) {
  const etag = headers.get("etag");
  if (etag && !etag.startsWith("W/")) headers.set("etag", `W/${etag}`);
}

function varyByEncoding(vary: string | null) {
  if (!vary) return "Accept-Encoding";
  return /\baccept-encoding\b|\*/i.test(vary) ? vary : `${vary}, Accept-Encoding`;
}
