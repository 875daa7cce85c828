import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import {
  ENCODINGS,
  MIN_COMPRESSED_BYTES,
  negotiateEncoding,
  type Encoding,
} from "../http/encoding";
import { MARK_LENGTH } from "../../../app/session/owner.server";
import { matchesTag } from "../http/etag";
import {
  fillBrotli,
  fillGzip,
  fillPlain,
  isReadable,
  splitAtMark,
  type Bytes,
  type Fill,
  type MarkedText,
} from "./marked-bytes";

const BROTLI_QUALITY = 11;
const GZIP_LEVEL = 9;

type Form = { fill: Fill; size: number; codingHeaders: readonly string[]; suffix: string };

/** Status, header names and values in turn, and bytes: as Node's `writeHead` and `end` take them. */
export type ReadyAnswer = { status: 200 | 304; headers: readonly string[]; body: Bytes | null };

type Wanted = {
  acceptEncoding: string | undefined;
  ifNoneMatch: string | undefined;
  /** The owner mark of the person who asks. */
  mark?: string | undefined;
};

/** A page that many people get, in each encoding, with a strong tag each (RFC 9110, 8.8.3). */
export class KeptPage {
  readonly #body: Bytes;
  /** Where the body has an owner mark, which is another one for each person. */
  readonly #marked: MarkedText | null;
  readonly #plain: Form;
  readonly #compressed = new Map<Encoding, Form>();
  #isCompressed: boolean;
  #compressing: Promise<void> | undefined;
  readonly #headers: readonly string[];
  readonly digest: string;

  /**
   * @param headers all headers of the answer but those of its encoding
   * @param mark the owner mark in the body, in whose place each person gets their own
   */
  constructor(body: Bytes, headers: Iterable<readonly [string, string]>, mark?: string) {
    this.#headers = [...headers].flat();
    this.#body = body;
    this.#marked = mark === undefined ? null : splitAtMark(body, mark);
    this.#isCompressed = body.byteLength < MIN_COMPRESSED_BYTES;
    this.digest = createHash("sha256").update(body).digest("base64url").slice(0, 22);
    this.#plain = formOf(this.#marked ? fillPlain(this.#marked) : () => body, null);
  }

  /** The bytes that it holds in memory. */
  get size() {
    const forms = [this.#plain, ...this.#compressed.values()];
    return forms.reduce((sum, { size }) => sum + size, FORM_BYTES * forms.length);
  }

  /** Null while the wanted encoding is not there yet. */
  answer({ acceptEncoding, ifNoneMatch, mark }: Wanted): ReadyAnswer | null {
    const form = this.#choose(acceptEncoding);
    if (!form) return null;
    const own = this.#ownMark(mark);
    const etag = `"${this.digest}${own && `-${own}`}${form.suffix}"`;
    const headers = [...this.#headers, "etag", etag];
    if (ifNoneMatch !== undefined && matchesTag(ifNoneMatch, etag)) {
      return { status: 304, headers, body: null };
    }
    return { status: 200, headers: [...headers, ...form.codingHeaders], body: form.fill(own) };
  }

  /** The page without compression. */
  plain(mark?: string): ReadyAnswer {
    const { fill, codingHeaders } = this.#plain;
    const own = this.#ownMark(mark);
    const etag = `"${this.digest}${own && `-${own}`}"`;
    const headers = [...this.#headers, "etag", etag, ...codingHeaders];
    return { status: 200, headers, body: fill(own) };
  }

  get isCompressed() {
    return this.#isCompressed;
  }

  /** Compresses with the highest quality: too slow for a visitor who waits. */
  compress(): Promise<void> {
    return (this.#compressing ??= this.#compress());
  }

  async #compress() {
    for (const encoding of ENCODINGS) {
      const fill = await this.#compressAs(encoding);
      if (fill) this.#compressed.set(encoding, formOf(fill, encoding));
    }
    this.#isCompressed = true;
  }

  async #compressAs(encoding: Encoding): Promise<Fill | null> {
    if (!this.#marked) {
      const bytes = new Uint8Array(await COMPRESS[encoding](this.#body));
      return () => bytes;
    }
    const fill = await COMPRESS_MARKED[encoding](this.#marked);
    return (await isReadable(this.#marked, fill, encoding)) ? fill : null;
  }

  /** @throws Error for a page with a mark and nobody's in its place: it would be another one's */
  #ownMark(mark: string | undefined): string {
    if (!this.#marked) return "";
    if (mark?.length !== MARK_LENGTH) throw new Error("A page with an owner mark is for somebody");
    return mark;
  }

  get #isSmall() {
    return this.#body.byteLength < MIN_COMPRESSED_BYTES;
  }

  #choose(acceptEncoding: string | undefined): Form | undefined {
    const encoding = this.#isSmall ? null : negotiateEncoding(acceptEncoding, ENCODINGS);
    return encoding === null ? this.#plain : this.#compressed.get(encoding);
  }
}

const COMPRESS = {
  br: (body: Bytes) =>
    promisify(brotliCompress)(body, {
      params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY },
    }),
  gzip: (body: Bytes) => promisify(gzip)(body, { level: GZIP_LEVEL }),
};

const COMPRESS_MARKED = {
  br: (text: MarkedText) => fillBrotli(text, BROTLI_QUALITY),
  gzip: (text: MarkedText) => fillGzip(text, GZIP_LEVEL),
};

/** Headers and objects of one form, about. */
const FORM_BYTES = 2_048;

/** All marks have the same length, and so have all answers. */
function formOf(fill: Fill, encoding: Encoding | null): Form {
  const size = fill("A".repeat(MARK_LENGTH)).byteLength;
  const coding = encoding ? ["content-encoding", encoding] : [];
  return {
    fill,
    size,
    codingHeaders: [...coding, "content-length", String(size)],
    suffix: encoding ? `-${encoding}` : "",
  };
}
