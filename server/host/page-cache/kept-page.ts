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
  splitAtMarks,
  type Bytes,
  type Fill,
  type MarkedText,
} from "./marked-bytes";

const BROTLI_QUALITY = 11;
const GZIP_LEVEL = 9;

/**
 * Status, header names and values in turn, and bytes: as Node's `writeHead` and `end` take them. Nobody
 * changes the headers, which many answers share.
 */
export type ReadyAnswer = { status: 200 | 304; headers: string[]; body: Bytes | null };

type Wanted = {
  acceptEncoding: string | undefined;
  ifNoneMatch: string | undefined;
  /** The mark of the person who asks. Called for a page with a mark only. */
  mark: () => string;
};

/** A page that many people get, in each encoding, with a strong tag each (RFC 9110, 8.8.3). */
export class KeptPage {
  readonly #body: Bytes;
  /** The body with the places of its mark, which differs from person to person; null without a mark. */
  readonly #marked: MarkedText | null;
  readonly #plain: Form;
  readonly #compressed = new Map<Encoding, Form>();
  #isCompressed: boolean;
  #compressing: Promise<void> | undefined;
  readonly #headers: string[];
  readonly digest: string;
  /** A page that no browser stores is never asked for by its tag. */
  readonly #isStored: boolean;

  /**
   * @param headers all headers of the answer but those of its encoding
   * @param mark in the body, in whose place each person gets their own
   */
  constructor(body: Bytes, headers: Headers, mark: string) {
    // `x-cache` is for people who want to know where a page came from.
    this.#headers = [...[...headers].flat(), "x-cache", "hit"];
    this.#isStored = headers.get("cache-control")?.includes("no-store") === false;
    this.#body = body;
    this.#marked = splitAtMarks(body, mark);
    this.#isCompressed = this.#isSmall;
    this.digest = digestOf(body);
    this.#plain = this.#formOf(this.#marked ? fillPlain(this.#marked) : () => body, null);
  }

  /** The bytes that it holds in memory. */
  get size() {
    const forms = [this.#plain, ...this.#compressed.values()];
    return forms.reduce((sum, { size }) => sum + size, FORM_BYTES * forms.length);
  }

  /** Null while the wanted encoding is not there yet. */
  answer({ acceptEncoding, ifNoneMatch, mark }: Wanted): ReadyAnswer | null {
    return this.#choose(acceptEncoding)?.answer(this.#ownMark(mark), ifNoneMatch) ?? null;
  }

  /** The page without compression. */
  plain(mark: () => string): ReadyAnswer {
    return this.#plain.answer(this.#ownMark(mark), undefined);
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
      if (fill) this.#compressed.set(encoding, this.#formOf(fill, encoding));
    }
    this.#isCompressed = true;
  }

  async #compressAs(encoding: Encoding): Promise<Fill | null> {
    if (!this.#marked) {
      const bytes = new Uint8Array(await COMPRESS[encoding](this.#body));
      return () => bytes;
    }
    const fill = await COMPRESS_MARKED[encoding](this.#marked);
    return fill && (await isReadable(this.#marked, fill, encoding)) ? fill : null;
  }

  /** @throws Error for a page with a place for a mark, when no person's mark is given */
  #ownMark(markOf: () => string): string {
    if (!this.#marked) return "";
    const mark = markOf();
    if (mark.length !== MARK_LENGTH) throw new Error("A page with a mark is for somebody");
    return mark;
  }

  get #isSmall() {
    return this.#body.byteLength < MIN_COMPRESSED_BYTES;
  }

  #choose(acceptEncoding: string | undefined): Form | undefined {
    const encoding = this.#isSmall ? null : negotiateEncoding(acceptEncoding, ENCODINGS);
    return encoding === null ? this.#plain : this.#compressed.get(encoding);
  }

  /** All marks have the same length, and so have all answers. */
  #formOf(fill: Fill, encoding: Encoding | null): Form {
    const size = fill("A".repeat(MARK_LENGTH)).byteLength;
    const coding = encoding ? ["content-encoding", encoding] : [];
    const ofBody = [...coding, "content-length", String(size)];
    const answerFor = (own: string) => {
      const suffix = `${own && `-${own}`}${encoding ? `-${encoding}` : ""}`;
      const etag = this.#isStored ? `"${this.digest}${suffix}"` : null;
      const headers = etag === null ? this.#headers : [...this.#headers, "etag", etag];
      return { etag, same: headers, whole: [...headers, ...ofBody] };
    };
    const forAll = this.#marked ? null : answerFor("");
    return {
      size,
      answer: (own, ifNoneMatch) => {
        const { etag, same, whole } = forAll ?? answerFor(own);
        const isSame = ifNoneMatch !== undefined && etag !== null && matchesTag(ifNoneMatch, etag);
        return isSame
          ? { status: 304, headers: same, body: null }
          : { status: 200, headers: whole, body: fill(own) };
      },
    };
  }
}

/** The page in one encoding. `own` is the mark of the person who asks, empty on a page without a mark. */
type Form = {
  size: number;
  answer: (own: string, ifNoneMatch: string | undefined) => ReadyAnswer;
};

const COMPRESS = {
  br: (body: Bytes) =>
    promisify(brotliCompress)(body, {
      params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY },
    }),
  gzip: (body: Bytes) => promisify(gzip)(body, { level: GZIP_LEVEL }),
};

const COMPRESS_MARKED = {
  br: (texts: MarkedText) => fillBrotli(texts, BROTLI_QUALITY),
  gzip: (texts: MarkedText) => fillGzip(texts, GZIP_LEVEL),
};

/** Headers and objects of one form, about. */
const FORM_BYTES = 2_048;

const digestOf = (body: Bytes) =>
  createHash("sha256").update(body).digest("base64url").slice(0, 22);
