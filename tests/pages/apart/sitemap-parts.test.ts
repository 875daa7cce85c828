import { Readable } from "node:stream";
import { parseSitemap, parseSitemapIndex } from "sitemap";
import { afterAll, expect, it } from "vitest";
import { filePaths, paths } from "~/paths";
import { openPages, SITE } from "../../support/pages";
import { openElsewhere } from "../elsewhere";

const COUNT = 20_100;
const PAGE = 100;
let calls = 0;
let circles = false;

/** An API with many articles, in pages that their cursors join. */
const { url, close } = await openElsewhere((request, platform) => {
  const { pathname, searchParams } = new URL(request.url);
  if (pathname !== "/api/content/articles") return platform.fetch(request);
  calls++;
  const start = Number(searchParams.get("after") ?? 0);
  const payload = Array.from({ length: Math.min(PAGE, COUNT - start) }, (_, index) => ({
    uid: `article-${start + index}`,
    title: "Un titre",
    summary: "Un résumé",
    date: "2026-03-14T09:30:00+02:00",
    author: "x",
    category: "y",
    tags: [],
    readingMinutes: 1,
    restricted: false,
  }));
  const next = circles ? 0 : start + PAGE;
  const hasNextPage = next < COUNT;
  return Response.json({
    payload,
    page: { hasNextPage, endCursor: hasNextPage ? String(next) : null },
  });
});
afterAll(close);

const { visitor } = openPages({ API_URL: url });

const textAt = async (path: string) => Readable.from([(await visitor().get(path)).body]);

it("a sitemap of cursors that lead in a circle is a 502", async () => {
  circles = true;
  expect((await visitor().get(filePaths.sitemap())).status).toBe(502);
  expect(calls).toBeLessThan(5);
  circles = false;
});

it("a large sitemap is an index of parts with every address once", async () => {
  const index = await parseSitemapIndex(await textAt(filePaths.sitemap()));
  expect(index.map(({ url }) => url)).toEqual(
    [1, 2, 3].map((n) => SITE + filePaths.sitemapPart(n)),
  );
  const parts = await Promise.all(
    index.map(async ({ url: part }) => parseSitemap(await textAt(part))),
  );
  expect(parts.map((items) => items.length)).toEqual([10_000, 10_000, expect.any(Number)]);
  const items = parts.flat();
  const addresses = new Set(items.map(({ url: address }) => address));
  expect(addresses.size).toBe(items.length);
  for (const n of [0, 9_999, 10_000, COUNT - 1])
    expect(addresses).toContain(SITE + paths.article(`article-${n}`));
  expect(items.at(-1)?.lastmod).toBe("2026-03-14T07:30:00.000Z");
});

it("parts are made of what was read for the index", async () => {
  await visitor().get(filePaths.sitemap());
  calls = 0;
  await visitor().get(filePaths.sitemapPart(2));
  expect(calls).toBe(0);
});

it.each([0, 4, 99_999, "1e3", "01"])("there is no part %s", async (number) => {
  expect((await visitor().open(`/sitemap/${number}.xml`)).status).toBe(404);
});
