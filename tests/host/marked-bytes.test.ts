import { brotliDecompressSync, gunzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { newFormKey } from "~/session/form-key.server";
import {
  countMarks,
  fillBrotli,
  fillGzip,
  fillPlain,
  MAX_PLACES,
  splitAtMarks,
} from "../../server/host/page-cache/marked-bytes";

const MARK = newFormKey();
const bytesOf = (text: string) => new TextEncoder().encode(text);
const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString();

/** What stands between marks on pages: HTML that repeats itself, and anything else. */
const text = fc.oneof(
  fc
    .array(fc.constantFrom('<input name="a" value="', '"/>', "<p>Une étoile.</p>", '\\",\\"'), {
      minLength: 1,
      maxLength: 40,
    })
    .map((parts) => parts.join("")),
  fc.string({ unit: "grapheme", minLength: 2, maxLength: 300 }),
);
const texts = fc.array(text, { minLength: 2, maxLength: MAX_PLACES + 1 });

function split(body: string) {
  const found = splitAtMarks(bytesOf(body), MARK);
  if (!found) throw new Error("The page has no mark");
  return found;
}

describe("a page with marks", () => {
  it("has its person's mark everywhere in each encoding", async () => {
    await fc.assert(
      fc.asyncProperty(texts, async (parts) => {
        const marked = split(parts.join(MARK));
        const own = newFormKey();
        const right = parts.join(own);
        expect(textOf(fillPlain(marked)(own))).toBe(right);
        expect(gunzipSync((await fillGzip(marked, 9))(own)).toString()).toBe(right);
        const brotli = await fillBrotli(marked, 11);
        const tooClose = parts.slice(1).some((part) => bytesOf(part).byteLength < 2);
        expect(brotli === null).toBe(tooClose);
        if (brotli) expect(brotliDecompressSync(brotli(own)).toString()).toBe(right);
      }),
      { numRuns: 150 },
    );
  });

  it("has one length for all marks", async () => {
    const marked = split(["<p>a</p>".repeat(50), "<p>b</p>".repeat(50), "<p>c</p>"].join(MARK));
    for (const fill of [
      fillPlain(marked),
      await fillGzip(marked, 9),
      await fillBrotli(marked, 11),
    ]) {
      const lengths = Array.from({ length: 50 }, () => fill?.(newFormKey()).byteLength);
      expect(new Set(lengths).size).toBe(1);
    }
  });

  it("counts its marks to one more than may be", () => {
    for (let places = 0; places <= MAX_PLACES + 3; places++) {
      const body = bytesOf(Array.from({ length: places + 1 }, () => "text").join(MARK));
      expect(countMarks(body, MARK)).toBe(Math.min(places, MAX_PLACES + 1));
    }
  });

  it("is no page without the mark", () => expect(splitAtMarks(bytesOf("text"), MARK)).toBeNull());
});
