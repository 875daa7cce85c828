import { expect, it, vi } from "vitest";
import { newFormKey } from "~/session/form-key.server";
import { KeptPage } from "../../server/host/page-cache/kept-page";
import type * as MarkedBytes from "../../server/host/page-cache/marked-bytes";
import { fillBrotli, isReadable, splitAtMarks } from "../../server/host/page-cache/marked-bytes";

vi.mock("../../server/host/page-cache/marked-bytes", async (original) => {
  const real = await original<typeof MarkedBytes>();
  return { ...real, fillGzip: async () => () => new Uint8Array([31, 139]) };
});

const MARK = newFormKey();
const BODY = new TextEncoder().encode(`${"<p>Une étoile.</p>".repeat(99)}${MARK}<p>Deux.</p>`);

it("a page that its compressor spoilt is sent uncompressed", async () => {
  const page = new KeptPage(BODY, new Headers({ "content-type": "text/html" }), MARK);
  await page.compress();
  const ask = (acceptEncoding: string) =>
    page.answer({ acceptEncoding, ifNoneMatch: undefined, mark: newFormKey });
  expect(ask("gzip")).toBeNull();
  expect(ask("br")?.headers).toContain("br");
});

it("a page counts as readable with every mark or not at all", async () => {
  const texts = splitAtMarks(BODY, MARK);
  if (!texts) throw new Error("The page has no mark");
  const fill = await fillBrotli(texts, 5);
  if (!fill) throw new Error("The page is not compressed");
  const once = fill("A".repeat(MARK.length));
  expect(await isReadable(texts, fill, "br")).toBe(true);
  expect(await isReadable(texts, () => once, "br")).toBe(false);
  expect(await isReadable(texts, fill, "gzip")).toBe(false);
});
