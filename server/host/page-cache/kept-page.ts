import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { ENCODINGS, MIN_COMPRESSED_BYTES, negotiateEncoding, type Encoding } from "../encoding";
import { matchesTag } from "../etag";

const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };
const GZIP = { level: 9 };

type Bytes = Uint8Array<ArrayBuffer>;
type Form = { body: Bytes; headers: string[]; unchangedHeaders: string[]; etag: string };

/** Status, header names and values in turn, and bytes: as Node's `writeHead` and `end` take them. */
export type ReadyAnswer = { status: 200 | 304; headers: readonly string[]; body: Bytes | null };

type Wanted = { acceptEncoding: string | undefined; ifNoneMatch: string | undefined };

/** A page that many visitors get, in each encoding, with a strong tag each (RFC 9110, 8.8.3). */
export class KeptPage {
  readonly #plain: Form;
  readonly #compressed = new Map<Encoding, Form>();
  #compressing: Promise<void> | undefined;
  readonly #headers: readonly (readonly [string, string])[];
  readonly digest: string;

  /** @param headers all headers of the answer but those of its encoding */
  constructor(body: Bytes, headers: Iterable<readonly [string, string]>) {
    this.#headers = [...headers];
    this.digest = createHash("sha256").update(body).digest("base64url").slice(0, 22);
    this.#plain = this.#form(body, null);
  }

  /** The bytes that it holds in memory. */
  get size() {
    const forms = [this.#plain, ...this.#compressed.values()];
    return forms.reduce((sum, { body }) => sum + body.byteLength, FORM_BYTES * forms.length);
  }

  /** Null while the wanted encoding is not there yet. */
  answer({ acceptEncoding, ifNoneMatch }: Wanted): ReadyAnswer | null {
    const form = this.#choose(acceptEncoding);
    if (!form) return null;
    if (ifNoneMatch !== undefined && matchesTag(ifNoneMatch, form.etag)) {
      return { status: 304, headers: form.unchangedHeaders, body: null };
    }
    return { status: 200, headers: form.headers, body: form.body };
  }

  /** The page without compression. */
  get plain(): ReadyAnswer {
    return { status: 200, headers: this.#plain.headers, body: this.#plain.body };
  }

  get isCompressed() {
    return this.#isSmall || this.#compressed.size > 0;
  }

  /** Compresses with the highest quality: too slow for a visitor who waits. */
  compress(): Promise<void> {
    return (this.#compressing ??= this.#compress());
  }

  async #compress() {
    const { body } = this.#plain;
    const [br, gz] = await Promise.all([
      promisify(brotliCompress)(body, BROTLI),
      promisify(gzip)(body, GZIP),
    ]);
    this.#compressed.set("br", this.#form(new Uint8Array(br), "br"));
    this.#compressed.set("gzip", this.#form(new Uint8Array(gz), "gzip"));
  }

  get #isSmall() {
    return this.#plain.body.byteLength < MIN_COMPRESSED_BYTES;
  }

  #choose(acceptEncoding: string | undefined): Form | undefined {
    const encoding = this.#isSmall ? null : negotiateEncoding(acceptEncoding, ENCODINGS);
    return encoding === null ? this.#plain : this.#compressed.get(encoding);
  }

  #form(body: Bytes, encoding: Encoding | null): Form {
    const etag = `"${this.digest}${encoding ? `-${encoding}` : ""}"`;
    const unchanged = [...this.#headers, ["etag", etag] as const].flat();
    const coded = encoding ? ["content-encoding", encoding] : [];
    const length = ["content-length", String(body.byteLength)];
    return {
      body,
      etag,
      unchangedHeaders: unchanged,
      headers: [...unchanged, ...coded, ...length],
    };
  }
}

/** Headers and objects of one form, about. */
const FORM_BYTES = 2_048;
