import { once } from "node:events";
import { promisify } from "node:util";
import {
  brotliDecompress,
  constants,
  crc32,
  createBrotliCompress,
  createGzip,
  gunzip,
  type BrotliCompress,
  type Gzip,
} from "node:zlib";
import { MARK_LENGTH } from "../../../app/session/owner.server";

export type Bytes = Uint8Array<ArrayBuffer>;

/** The bytes of a page in one encoding, with an owner mark in its place. */
export type Fill = (mark: string) => Bytes;

/** The text of a page before and after the owner mark of its form. */
export type MarkedText = { before: Bytes; after: Bytes };

/** The first two places of a mark. */
function places(body: Bytes, mark: string): number[] {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const first = bytes.indexOf(mark);
  return first === -1 ? [] : [first, bytes.indexOf(mark, first + 1)].filter((at) => at !== -1);
}

/** Counts to two: a page with more owner marks than one is not kept. */
export const countMarks = (body: Bytes, mark: string) => places(body, mark).length;

/** Null for a page without the mark. */
export function splitAtMark(body: Bytes, mark: string): MarkedText | null {
  const [at] = places(body, mark);
  if (at === undefined) return null;
  return { before: body.subarray(0, at), after: body.subarray(at + mark.length) };
}

/**
 * Stands for the mark while a page is compressed. No text in UTF-8 has these bytes, and no two neighbours
 * occur twice: nothing before or after is compressed as a copy of them.
 */
const FILLER = Uint8Array.from([
  0xc0, 0xc1, 0xf5, 0xf6, 0xf7, 0xf8, 0xf9, 0xfa, 0xfb, 0xfc, 0xfd, 0xfe, 0xff, 0xc1, 0xc0, 0xf6,
  0xf5, 0xf8, 0xf7, 0xfa, 0xf9, 0xfc,
]);

/** Brotli reads a byte in the light of the two before it: these stay the same with each mark. */
const CONTEXT_LENGTH = 2;

export const fillPlain =
  ({ before, after }: MarkedText): Fill =>
  (mark) =>
    joined([before, asBytes(mark), after]);

/**
 * Compresses once what is the same for all marks, and puts the mark between as an uncompressed meta-block
 * (RFC 7932, 9.2).
 */
export async function fillBrotli({ before, after }: MarkedText, quality: number): Promise<Fill> {
  const context = after.subarray(0, CONTEXT_LENGTH);
  const encoder = createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: quality } });
  const middle = joined([FILLER, context]);
  const rest = after.subarray(CONTEXT_LENGTH);
  const { BROTLI_OPERATION_FLUSH: flush } = constants;
  const [start, end] = await compressAround(encoder, flush, [before, middle, rest]);
  const head = joined([start, metaBlockHeader(MARK_LENGTH + CONTEXT_LENGTH)]);
  const tail = joined([context, end]);
  return (mark) => joined([head, asBytes(mark), tail]);
}

/** ISLAST 0, MNIBBLES 0 for four, MLEN - 1 in sixteen bits, ISUNCOMPRESSED 1, from the lowest bit on. */
function metaBlockHeader(length: number) {
  const bits = ((length - 1) << 3) | (1 << 19);
  return Uint8Array.from([bits & 0xff, (bits >> 8) & 0xff, bits >> 16]);
}

/** Checksum and length at the end of gzip (RFC 1952, 2.3.1). */
const TRAILER_LENGTH = 8;

/** The same with a stored block (RFC 1951, 3.2.4). The checksum at the end is of the whole page. */
export async function fillGzip({ before, after }: MarkedText, level: number): Promise<Fill> {
  const encoder = createGzip({ level });
  const { Z_SYNC_FLUSH: flush } = constants;
  const [start, end] = await compressAround(encoder, flush, [before, FILLER, after]);
  const length = [MARK_LENGTH, 0];
  const block = Uint8Array.from([0, ...length, ...length.map((byte) => byte ^ 0xff)]);
  const head = joined([start, block]);
  const tail = end.subarray(0, -TRAILER_LENGTH);
  const before32 = crc32(before);
  return (given) => {
    const mark = asBytes(given);
    const trailer = Buffer.alloc(TRAILER_LENGTH);
    trailer.writeUInt32LE(crc32(after, crc32(mark, before32)));
    trailer.writeUInt32LE(before.byteLength + MARK_LENGTH + after.byteLength, 4);
    return joined([head, mark, tail, trailer]);
  };
}

/** Compresses three parts in one run, each to whole bytes. @returns the first and the last */
async function compressAround(
  encoder: BrotliCompress | Gzip,
  flush: number,
  [before, middle, after]: [Bytes, Bytes, Bytes],
): Promise<[Bytes, Bytes]> {
  let chunks: Buffer[] = [];
  encoder.on("data", (chunk: Buffer) => chunks.push(chunk));
  const take = () => {
    const taken = joined(chunks);
    chunks = [];
    return taken;
  };
  const flushed = async (part: Bytes) => {
    encoder.write(part);
    await new Promise<void>((resolve) => encoder.flush(flush, resolve));
    // The last chunk may still be on its way to the listener.
    await promisify(setImmediate)();
    return take();
  };
  const start = await flushed(before);
  await flushed(middle);
  const ended = once(encoder, "end");
  encoder.end(after);
  await ended;
  return [start, take()];
}

const DECODERS = { br: promisify(brotliDecompress), gzip: promisify(gunzip) };

/**
 * Whether bytes with different marks are read as the page with these marks. A compressed page is sent only
 * after this was seen, whatever another release of the compressor does.
 */
export async function isReadable(text: MarkedText, fill: Fill, encoding: "br" | "gzip") {
  const plain = fillPlain(text);
  const marks = ["A".repeat(MARK_LENGTH), "0-_z".repeat(6).slice(0, MARK_LENGTH)];
  const decode = DECODERS[encoding];
  const read = marks.map(
    async (mark) => Buffer.compare(plain(mark), await decode(fill(mark))) === 0,
  );
  return Promise.all(read).then(
    (same) => same.every(Boolean),
    () => false,
  );
}

const asBytes = (mark: string) => Buffer.from(mark, "latin1");

const joined = (parts: readonly Uint8Array[]) => Buffer.concat(parts);
