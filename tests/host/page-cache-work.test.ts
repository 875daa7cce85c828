import { describe, expect, it } from "vitest";
import { newFormKey } from "~/session/form-key.server";
import { keepable } from "../../server/host/page-cache/keepable";
import { KeptPage } from "../../server/host/page-cache/kept-page";
import { MAX_PLACES } from "../../server/host/page-cache/marked-bytes";
import { PageCache } from "../../server/host/page-cache/page-cache";

const HTML = { "content-type": "text/html", "cache-control": "no-cache" };
const bytesOf = (text: string) => new TextEncoder().encode(text);
/** Long enough to be compressed. */
const pageOf = (text: string) => new KeptPage(bytesOf(text.repeat(1_000)), new Headers(HTML), "-");

/** A page whose compressing begins when it is asked for, and ends when it is let go. */
function slowPage(name: string) {
  const page = pageOf(name);
  let end = () => {};
  let begun = 0;
  const done = new Promise<void>((resolve) => (end = resolve));
  page.compress = () => {
    begun++;
    return done;
  };
  return { page, end: () => end(), begun: () => begun };
}

/** Lets all that is ready go on. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

async function openCache(...pages: [string, KeptPage][]) {
  const cache = new PageCache({ revision: () => "" });
  for (const [address, page] of pages) await cache.make(address, async () => page);
  return cache;
}

describe("compressing in the background", () => {
  it("goes on with the next page after the one before", async () => {
    const [first, second] = [slowPage("one"), slowPage("two")];
    const cache = await openCache(["a", first.page], ["b", second.page]);
    cache.compress("a", first.page);
    cache.compress("b", second.page);
    await settled();
    expect([first.begun(), second.begun()]).toEqual([1, 0]);
    first.end();
    await settled();
    expect(second.begun()).toBe(1);
  });

  it("leaves out a page that another has replaced", async () => {
    const [first, second] = [slowPage("one"), slowPage("two")];
    const cache = await openCache(["a", first.page], ["b", second.page]);
    cache.compress("a", first.page);
    cache.compress("b", second.page);
    await cache.make("b", async () => pageOf("three"));
    first.end();
    await settled();
    expect(second.begun()).toBe(0);
  });

  it("puts no page back that was replaced meanwhile", async () => {
    const old = slowPage("one");
    const cache = await openCache(["a", old.page]);
    cache.compress("a", old.page);
    await settled();
    const current = await cache.make("a", async () => pageOf("two"));
    old.end();
    await settled();
    expect(cache.find("a")?.page).toBe(current);
  });
});

it("a page begun before midnight is not shown after it", async () => {
  let now = Date.parse("2026-06-30T21:59:59.999Z");
  const cache = new PageCache({ revision: () => "", now: () => now });
  await cache.make("a", async () => {
    now++;
    return pageOf("one");
  });
  expect(cache.find("a")).toBeNull();
});

it("a page that was made anew is fresh again", async () => {
  let now = 0;
  const cache = new PageCache({ revision: () => "", now: () => now });
  await cache.make("a", async () => pageOf("one"));
  now = 60_000;
  expect(cache.find("a")?.isFresh).toBe(false);
  await cache.make("a", async () => pageOf("one"));
  now += 9_999;
  expect(cache.find("a")?.isFresh).toBe(true);
});

describe("the mark that stands for the marks of all", () => {
  const mark = newFormKey();
  const keep = (places: number, status = 200) =>
    keepable(
      new Response("Une page ".concat(`${mark} `.repeat(places)), { status, headers: HTML }),
      {
        caching: ["no-cache"],
        defaults: [],
        mark,
        places: MAX_PLACES,
      },
    );

  it.each([
    [MAX_PLACES, 503],
    [MAX_PLACES, 404],
  ])("reaches nobody from a page with %i of it that is not kept: %i", async (places, status) => {
    const made = await keep(places, status);
    if (made instanceof KeptPage) throw new Error("The page is kept");
    const own = newFormKey();
    const text = Buffer.from(made.fill(own)).toString();
    expect(text.split(own)).toHaveLength(places + 1);
    expect(text).not.toContain(mark);
  });

  it("stands in six places of a kept page at most", async () => {
    expect(await keep(MAX_PLACES)).toBeInstanceOf(KeptPage);
    expect(await keep(MAX_PLACES + 1)).not.toBeInstanceOf(KeptPage);
  });

  it("is not replaced by anything but a mark", async () => {
    const page = await keep(1);
    if (!(page instanceof KeptPage)) throw new Error("The page is not kept");
    for (const own of ["", "short", `${newFormKey()}x`]) {
      const ask = () => page.plain(() => own);
      expect(ask).toThrow("for somebody");
    }
  });
});
