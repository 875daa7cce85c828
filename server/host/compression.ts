import { pipeline, Readable } from "node:stream";
import { promisify } from "node:util";
import {
  brotliCompress,
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createGzip,
  gzip,
  gzipSync,
} from "node:zlib";
import {
  ENCODINGS,
  isCompressible,
  MIN_COMPRESSED_BYTES,
  negotiateEncoding,
  type Encoding,
} from "./http/encoding";
import { readAhead, remaining, type BodyStart } from "./http/read-ahead";
import type { HostMiddleware } from "./http/request";
import { sharedBytesOf, wholeTextOf } from "../whole-body";

/** Measured: docs/decisions/0005-own-host.md. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };
const GZIP = { level: 6 };

/** Below it, gzip takes a third of brotli's time and makes a body as short (docs/decisions/0005-own-host.md). */
const SMALL_BYTES = 4 * 1024;
const GZIP_FIRST: readonly Encoding[] = ["gzip", "br"];

/** Takes less time than to hand it to another thread: at most a millisecond, instead of half a one more. */
const MAX_AT_ONCE_BYTES = 64 * 1024;
const AT_ONCE = {
  br: (bytes: Uint8Array) => brotliCompressSync(bytes, BROTLI),
  gzip: (bytes: Uint8Array) => gzipSync(bytes, GZIP),
};
const IN_BACKGROUND = {
  br: (bytes: Uint8Array) => promisify(brotliCompress)(bytes, BROTLI),
  gzip: (bytes: Uint8Array) => promisify(gzip)(bytes, GZIP),
};

/** Compresses pages and data; files are already compressed by the build. */
export function compression(): HostMiddleware {
  return async (context, next) => {
    await next();
    const shared = sharedBytesOf(context.res);
    const whole = wholeTextOf(context.res);
    const body: Body | null =
      shared ?? (whole === undefined ? context.res.body : Buffer.from(whole));
    // Read after the body, which gives the answer other headers.
    const { headers } = context.res;
    if (!mayCompress(headers)) return;
    headers.set("vary", varyByEncoding(headers.get("vary")));
    const accepted = context.req.header("accept-encoding");
    if (!body || !negotiateEncoding(accepted)) return;
    const response = await compressResponse(context.res, body, accepted, shared !== undefined);
    // Hono copies the headers of a previous response onto the new one, unless it is cleared first.
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

type Body = Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;

async function compressResponse(
  response: Response,
  body: Body,
  accepted: string | undefined,
  isShared: boolean,
) {
  const bodyStart = body instanceof Uint8Array ? { bytes: body } : await readAhead(body);
  const { status } = response;
  const headers = new Headers(response.headers);
  headers.delete("content-length");
  const wholeBytes = bodyStart.rest ? Infinity : bodyStart.bytes.byteLength;
  const isSmall = !isShared && wholeBytes < SMALL_BYTES;
  const encoding = negotiateEncoding(accepted, isSmall ? GZIP_FIRST : ENCODINGS);
  if (!encoding || wholeBytes < MIN_COMPRESSED_BYTES) {
    return new Response(bodyStart.bytes, { status, headers });
  }
  headers.set("content-encoding", encoding);
  weakenTag(headers);
  const compressed = isShared
    ? await encodeOnce(bodyStart.bytes, encoding)
    : await encode(bodyStart, encoding);
  return new Response(compressed, { status, headers });
}

const forms = new WeakMap<
  Uint8Array,
  Partial<Record<Encoding, Promise<Uint8Array<ArrayBuffer>>>>
>();

/** The compressed bytes of a shared body, which are shared as well. */
function encodeOnce(bytes: Uint8Array, encoding: Encoding) {
  const known = forms.get(bytes) ?? {};
  forms.set(bytes, known);
  return (known[encoding] ??= encodeWhole(bytes, encoding));
}

/**
 * Compresses a finished body in one step, an unfinished one chunk by chunk: deferred data delays
 * nothing.
 */
async function encode(bodyStart: BodyStart, encoding: Encoding) {
  if (!bodyStart.rest) return encodeWhole(bodyStart.bytes, encoding);
  const encoder =
    encoding === "br"
      ? createBrotliCompress({ ...BROTLI, flush: constants.BROTLI_OPERATION_FLUSH })
      : createGzip({ ...GZIP, flush: constants.Z_SYNC_FLUSH });
  // A failure destroys the encoder and with it the response, so the callback has nothing to do.
  const stream = pipeline(Readable.from(remaining(bodyStart)), encoder, () => undefined);
  // The cast is safe: Node declares its own type for the same stream class.
  return Readable.toWeb(stream) as ReadableStream<Uint8Array>;
}

async function encodeWhole(bytes: Uint8Array, encoding: Encoding) {
  const compress = bytes.byteLength <= MAX_AT_ONCE_BYTES ? AT_ONCE : IN_BACKGROUND;
  return new Uint8Array(await compress[encoding](bytes));
}

/** Weakens a strong tag: it names the uncompressed bytes (RFC 9110, 8.8.1). */
function weakenTag(headers: Headers) {
  const etag = headers.get("etag");
  if (etag && !etag.startsWith("W/")) headers.set("etag", `W/${etag}`);
}

function varyByEncoding(vary: string | null) {
  if (!vary) return "Accept-Encoding";
  return /\baccept-encoding\b|\*/i.test(vary) ? vary : `${vary}, Accept-Encoding`;
}
