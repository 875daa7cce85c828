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

/** The bytes of a page in one encoding, with a mark in each of its places. */
export type Fill = (mark: string) => Bytes;

/** The text of a page before, between and after its marks. */
export type MarkedText = readonly [Bytes, Bytes, ...Bytes[]];

/** A page with more marks is not kept: there are not more fillers. */
export const MAX_PLACES = 6;

/** Counts to one more than a kept page has. */
export const countMarks = (body: Bytes, mark: string) => places(body, mark).length;

function places(body: Bytes, mark: string): number[] {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const found: number[] = [];
  let at = bytes.indexOf(mark);
  while (at !== -1 && found.length <= MAX_PLACES) {
    found.push(at);
    at = bytes.indexOf(mark, at + mark.length);
  }
  return found;
}

/** Null for a page without the mark. */
export function splitAtMarks(body: Bytes, mark: string): MarkedText | null {
  const [first, ...others] = places(body, mark);
  if (first === undefined) return null;
  const starts = [first, ...others].map((at) => at + mark.length);
  const [second = body.subarray(starts[0]), ...rest] = starts.map((start, index) =>
    body.subarray(start, others[index]),
  );
  return [body.subarray(0, first), second, ...rest];
}

/** No text in UTF-8 has these bytes. */
const NO_TEXT = [
  0xc0, 0xc1, 0xf5, 0xf6, 0xf7, 0xf8, 0xf9, 0xfa, 0xfb, 0xfc, 0xfd, 0xfe, 0xff,
] as const;

/**
 * Stands for the mark in one place while a page is compressed. No two neighbours occur twice, in this filler
 * or another: nothing is compressed as a copy of them. Each filler goes round `NO_TEXT` with two steps of its
 * own; as their number is a prime, no pair comes again within a round.
 */
function fillerOf(place: number): Bytes {
  const half = MARK_LENGTH / 2;
  return Uint8Array.from({ length: MARK_LENGTH }, (_, index) => {
    const [slow, fast] = [Math.min(index, half), Math.max(index - half, 0)];
    const at = place + slow * (2 * place + 1) + fast * (2 * place + 2);
    return NO_TEXT[at % NO_TEXT.length] ?? 0;
  });
}

/** Brotli reads a byte in the light of the two before it: these stay the same with each mark. */
const CONTEXT_LENGTH = 2;

export const fillPlain =
  (texts: MarkedText): Fill =>
  (mark) =>
    interleaved(texts, asBytes(mark));

/**
 * Compresses once what is the same for all marks, and puts the mark between as an uncompressed meta-block
 * (RFC 7932, 9.2). Null when two marks are too close to each other.
 */
export async function fillBrotli(texts: MarkedText, quality: number): Promise<Fill | null> {
  const [before, ...afters] = texts;
  if (afters.some(({ byteLength }) => byteLength < CONTEXT_LENGTH)) return null;
  const contexts = afters.map((text) => text.subarray(0, CONTEXT_LENGTH));
  const rests = afters.map((text) => text.subarray(CONTEXT_LENGTH));
  const encoder = createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: quality } });
  const { BROTLI_OPERATION_FLUSH: flush } = constants;
  const fillers = contexts.map((context, place) => joined([fillerOf(place), context]));
  const parts = await compressAround(encoder, flush, [before, ...rests], fillers);
  const header = metaBlockHeader(MARK_LENGTH + CONTEXT_LENGTH);
  const fixed = parts.map((part, index) => {
    const context = index === 0 ? [] : contexts.slice(index - 1, index);
    const isLast = index === parts.length - 1;
    return joined([...context, part, ...(isLast ? [] : [header])]);
  });
  return (mark) => interleaved(fixed, asBytes(mark));
}

/** ISLAST 0, MNIBBLES 0 for four, MLEN - 1 in sixteen bits, ISUNCOMPRESSED 1, from the lowest bit on. */
function metaBlockHeader(length: number) {
  const bits = ((length - 1) << 3) | (1 << 19);
  return Uint8Array.from([bits & 0xff, (bits >> 8) & 0xff, bits >> 16]);
}

/** Checksum and length at the end of gzip (RFC 1952, 2.3.1). */
const TRAILER_LENGTH = 8;

/** The same with a stored block (RFC 1951, 3.2.4). The checksum at the end is of the whole page. */
export async function fillGzip(texts: MarkedText, level: number): Promise<Fill> {
  const encoder = createGzip({ level });
  const { Z_SYNC_FLUSH: flush } = constants;
  const [before, ...afters] = texts;
  const fillers = afters.map((_, place) => fillerOf(place));
  const parts = await compressAround(encoder, flush, texts, fillers);
  const length = [MARK_LENGTH, 0];
  const block = Uint8Array.from([0, ...length, ...length.map((byte) => byte ^ 0xff)]);
  const fixed = parts.map((part, index) =>
    index === parts.length - 1 ? part.subarray(0, -TRAILER_LENGTH) : joined([part, block]),
  );
  const checksumBefore = crc32(before);
  const size = texts.reduce((sum, text) => sum + text.byteLength, MARK_LENGTH * afters.length);
  return (given) => {
    const mark = asBytes(given);
    const checksum = afters.reduce((sum, text) => crc32(text, crc32(mark, sum)), checksumBefore);
    const trailer = Buffer.alloc(TRAILER_LENGTH);
    trailer.writeUInt32LE(checksum);
    trailer.writeUInt32LE(size, 4);
    return interleaved(fixed, mark, [trailer]);
  };
}

/**
 * Compresses texts with a filler between each two in one run, each to whole bytes.
 * @returns the compressed texts
 */
async function compressAround(
  encoder: BrotliCompress | Gzip,
  flush: number,
  texts: readonly Bytes[],
  fillers: readonly Bytes[],
): Promise<Bytes[]> {
  let chunks: Buffer[] = [];
  const broken = new Promise<never>((_, reject) => encoder.once("error", reject));
  // Also an error that nobody waits for must not end the process.
  broken.catch(() => undefined);
  encoder.on("data", (chunk: Buffer) => chunks.push(chunk));
  const take = () => {
    const taken = joined(chunks);
    chunks = [];
    return taken;
  };
  const flushed = async (part: Bytes) => {
    encoder.write(part);
    await Promise.race([broken, new Promise<void>((resolve) => encoder.flush(flush, resolve))]);
    // The last chunk may still be on its way to the listener.
    await promisify(setImmediate)();
    return take();
  };
  const compressed: Bytes[] = [];
  for (const [index, filler] of fillers.entries()) {
    compressed.push(await flushed(texts[index] ?? joined([])));
    await flushed(filler);
  }
  const ended = once(encoder, "end");
  encoder.end(texts.at(-1));
  await Promise.race([broken, ended]);
  return [...compressed, take()];
}

const DECODERS = { br: promisify(brotliDecompress), gzip: promisify(gunzip) };

/**
 * Whether bytes with different marks are read as the page with these marks. A compressed page is sent only
 * after this was seen, whatever another release of the compressor does.
 */
export async function isReadable(texts: MarkedText, fill: Fill, encoding: "br" | "gzip") {
  const plain = fillPlain(texts);
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

/** The parts with the mark between each two, and what follows. */
const interleaved = (
  parts: readonly Uint8Array[],
  mark: Uint8Array,
  end: readonly Uint8Array[] = [],
) => joined([...parts.flatMap((part, index) => (index === 0 ? [part] : [mark, part])), ...end]);
