import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { KeptPage } from "../../server/host/page-cache/kept-page";
import { PageCache } from "../../server/host/page-cache/page-cache";
import { TEXT } from "./list-site";

const pageOf = (text: string) =>
  new KeptPage(new TextEncoder().encode(text), new Headers({ "content-type": "text/html" }), "-");

describe("the cache", () => {
  it("shows an old page for five minutes while it is made anew", async () => {
    let now = 0;
    const cache = new PageCache({ revision: () => "", now: () => now });
    await cache.make("a", async () => pageOf("one"));
    now = 9_999;
    expect(cache.find("a")?.isFresh).toBe(true);
    now = 10_001;
    expect(cache.find("a")?.isFresh).toBe(false);
    now = 310_000;
    expect(cache.find("a")?.isFresh).toBe(false);
    now = 310_001;
    expect(cache.find("a")).toBeNull();
  });

  it("shows no page from before midnight in Paris", async () => {
    let now = Date.parse("2026-06-30T21:59:59.999Z");
    const cache = new PageCache({ revision: () => "", now: () => now });
    await cache.make("a", async () => pageOf("one"));
    expect(cache.find("a")).not.toBeNull();
    now++;
    expect(cache.find("a")).toBeNull();
    await cache.make("a", async () => pageOf("two"));
    expect(cache.find("a")).not.toBeNull();
  });

  it("keeps the old page when a new one cannot be made", async () => {
    let now = 0;
    const cache = new PageCache({ revision: () => "", now: () => now });
    const first = await cache.make("a", async () => pageOf("one"));
    now = 20_000;
    await expect(cache.make("a", () => Promise.reject(new Error("away")))).rejects.toThrow("away");
    expect(cache.find("a")?.page).toBe(first);
  });

  it("holds no more bytes than allowed", async () => {
    const cache = new PageCache({ revision: () => "", maxBytes: 240_000 });
    for (let n = 0; n < 100; n++) await cache.make(`a${n}`, async () => pageOf("x".repeat(6_000)));
    const held = Array.from({ length: 100 }, (_, n) => cache.find(`a${n}`)).filter(Boolean);
    expect(held.length).toBeGreaterThan(10);
    expect(held.length).toBeLessThan(40);
    await cache.make("large", async () => pageOf("x".repeat(20_000)));
    expect(cache.find("large")).toBeNull();
  });

  it("keeps the compressed bytes of a page that has not changed", async () => {
    const cache = new PageCache({ revision: () => "" });
    const first = await cache.make("a", async () => pageOf(TEXT));
    expect(await cache.make("a", async () => pageOf(TEXT))).toBe(first);
    expect(await cache.make("a", async () => pageOf(`${TEXT}!`))).not.toBe(first);
  });

  it("counts what compressing adds to a page", async () => {
    const cache = new PageCache({ revision: () => "", maxBytes: 240_000 });
    const addresses = Array.from({ length: 60 }, (_, n) => `a${n}`);
    for (const address of addresses) {
      const page = pageOf(randomBytes(550).toString("hex"));
      await cache.make(address, async () => page);
      cache.compress(address, page);
      await expect.poll(() => page.isCompressed).toBe(true);
    }
    const held = addresses.flatMap((address) => cache.find(address)?.page ?? []);
    expect(held.length).toBeGreaterThan(10);
    expect(held.reduce((sum, { size }) => sum + size, 0)).toBeLessThanOrEqual(240_000);
  });

  it("counts the addresses", async () => {
    const cache = new PageCache({ revision: () => "", maxBytes: 240_000 });
    const addresses = Array.from({ length: 60 }, (_, n) => `a${n}`.padEnd(3_000, "x"));
    for (const address of addresses) await cache.make(address, async () => pageOf("x"));
    expect(addresses.filter((address) => cache.find(address)).length).toBeLessThan(40);
  });

  it("holds 24 MB and pages of 1 MB at most", async () => {
    const cache = new PageCache({ revision: () => "" });
    const page = pageOf("x".repeat(1_000_000));
    const addresses = Array.from({ length: 40 }, (_, n) => `a${n}`);
    for (const address of addresses) await cache.make(address, async () => page);
    const held = addresses.filter((address) => cache.find(address));
    expect(held).toEqual(addresses.slice(-25));
    await cache.make("large", async () => pageOf("x".repeat(1_100_000)));
    expect(cache.find("large")).toBeNull();
  });

  const unkept = (status: number) => ({
    status,
    headers: new Headers(),
    fill: () => new Uint8Array(),
  });

  it.each([200, 302, 404])(
    "drops a page in whose place comes an answer with %s",
    async (status) => {
      const cache = new PageCache({ revision: () => "" });
      await cache.make("a", async () => pageOf("one"));
      expect(await cache.make("a", async () => unkept(status))).toMatchObject({ status });
      expect(cache.find("a")).toBeNull();
    },
  );

  it.each([500, 502, 503])(
    "keeps a page in whose place comes a failure with %s",
    async (status) => {
      const cache = new PageCache({ revision: () => "" });
      const first = await cache.make("a", async () => pageOf("one"));
      await cache.make("a", async () => unkept(status));
      expect(cache.find("a")?.page).toBe(first);
    },
  );
});

describe("renewing pages in the background", () => {
  const cache = () => new PageCache({ revision: () => "" });
  /** Pages that are under way until they are let go. */
  const openWork = () => {
    const release: (() => void)[] = [];
    const make = () =>
      new Promise<KeptPage>((resolve) => release.push(() => resolve(pageOf(TEXT))));
    return { release, make };
  };

  it("makes two pages at a time and leaves others to later requests", async () => {
    const renewed = cache();
    const { release, make } = openWork();
    for (const address of ["a", "b", "c"]) renewed.refresh(address, make);
    expect(release).toHaveLength(2);
    for (const finish of release) finish();
    for (const address of ["a", "b"]) {
      await expect.poll(() => renewed.find(address)).not.toBeNull();
    }
    renewed.refresh("c", make);
    await expect.poll(() => release.length).toBe(3);
  });

  it("makes no page twice at a time", () => {
    const renewed = cache();
    const { release, make } = openWork();
    for (let n = 0; n < 3; n++) renewed.refresh("a", make);
    expect(release).toHaveLength(1);
  });

  it.each([
    ["made", () => Promise.resolve(pageOf(TEXT))],
    ["refused", () => Promise.reject<KeptPage>(new Error("away"))],
  ])("goes on after pages that were %s", async (_, make) => {
    const renewed = cache();
    let tries = 0;
    for (let n = 1; n <= 5; n++) {
      await expect
        .poll(() => {
          renewed.refresh("a", () => {
            tries++;
            return make();
          });
          return tries;
        })
        .toBeGreaterThanOrEqual(n);
    }
  });
});
