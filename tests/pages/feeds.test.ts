import { Readable } from "node:stream";
import { parseSitemap } from "sitemap";
import { describe, expect, it } from "vitest";
import { filePaths, paths, serverPaths, TEXT_PAGES } from "~/paths";
import { filesBelow, read } from "../architecture/sources";
import { openPages, SITE } from "../support/pages";
import { subscribe } from "../support/people";
import { dataOf, sharedOf } from "../support/shared-data";
import { childrenOf, parseXml, textIn, type Element } from "../support/xml";

const { visitor } = openPages();

const ARTICLES = filesBelow("server/content/articles", /\.md$/).map((file) => ({
  uid: file.replace(/^.*\/|\.md$/g, ""),
  text: read(file),
}));
const BREAK = "<!-- vip -->";

const feedAt = async (path: string) => parseXml((await visitor().get(path)).body);
const entriesOf = (feed: Element) => childrenOf(feed, "entry");
const linkOf = (element: Element, rel: string | undefined) =>
  childrenOf(element, "link").find(({ attributes }) => attributes.rel === rel)?.attributes.href;

describe("the sitemap", () => {
  const items = async () =>
    parseSitemap(Readable.from([(await visitor().get(filePaths.sitemap())).body]));

  it("lists every article and public page once", async () => {
    const addresses = (await items()).map(({ url }) => url);
    const wanted = [
      paths.home(),
      paths.articles(),
      ...TEXT_PAGES.map(paths.text),
      serverPaths.siteMap(),
      ...ARTICLES.map(({ uid }) => paths.article(uid)),
    ];
    expect(addresses).toEqual(expect.arrayContaining(wanted.map((path) => SITE + path)));
    expect(new Set(addresses).size).toBe(addresses.length);
  });

  it("lists only pages that a search engine may show", async () => {
    for (const { url } of await items()) {
      const { status, headers, dom } = await visitor().get(url);
      expect([url, status, headers.get("x-robots-tag")]).toEqual([url, 200, null]);
      expect(dom.querySelector("link[rel=canonical]")?.getAttribute("href")).toBe(url);
    }
  });

  it("says when an article was published", async () => {
    const found = (await items()).find(({ url }) => url.endsWith("/lire-son-theme-natal"));
    expect(found?.lastmod).toBe("2026-03-14T00:00:00.000Z");
  });

  it.each(["/sitemap/1.xml", "/sitemap/0.xml", "/sitemap/-1.xml", "/sitemap/1", "/sitemap/x.xml"])(
    "has no part at %s while it is one file",
    async (path) => {
      expect((await visitor().open(path)).status).toBe(404);
    },
  );
});

describe("robots.txt", () => {
  it("names the sitemap, and allows what the sitemap lists", async () => {
    const { body, headers } = await visitor().get(filePaths.robots());
    expect(headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(body).toContain(`\nSitemap: ${SITE}/sitemap.xml\n`);
    const refused = [...body.matchAll(/^Disallow: (.+)$/gm)].map(([, path = ""]) => path);
    expect(refused).toEqual(expect.arrayContaining(["/api/", "/account", "/desk"]));
    const sitemap = await visitor().get(filePaths.sitemap());
    const listed = [...sitemap.body.matchAll(/<loc>([^<]+)</g)].map(([, url = ""]) =>
      url.slice(SITE.length),
    );
    const rules = [...body.matchAll(/^(Allow|Disallow): (.+)$/gm)].sort(
      ([, , a = ""], [, , b = ""]) => b.length - a.length,
    );
    const isRefused = (path: string) =>
      rules.find(([, , start = ""]) => path.startsWith(start))?.[1] === "Disallow";
    expect(listed).toContain("/articles?categories=signes");
    expect(listed.filter(isRefused)).toEqual([]);
    expect(isRefused("/articles?q=lune")).toBe(true);
  });

  it("leaves pictures and feeds to crawlers", async () => {
    const { body } = await visitor().get(filePaths.robots());
    const refused = [...body.matchAll(/^Disallow: (.+)$/gm)].map(([, path = ""]) => path);
    for (const path of [
      filePaths.articlePicture("x"),
      filePaths.feed(),
      filePaths.feed("signes"),
      "/og.png",
    ])
      expect(refused.filter((start) => path.startsWith(start))).toEqual([]);
  });
});

describe("the feed", () => {
  it("holds the newest articles, the newest first", async () => {
    const feed = await feedAt(filePaths.feed());
    const dates = entriesOf(feed).map((entry) => textIn(entry, "published") ?? "");
    expect(feed.name).toBe("feed");
    expect(dates).toHaveLength(20);
    expect(dates).toEqual([...dates].sort().reverse());
    expect(textIn(feed, "updated")).toBe(dates[0]);
    expect(textIn(feed, "id")).toBe(SITE + filePaths.feed());
    expect(linkOf(feed, "self")).toBe(SITE + filePaths.feed());
  });

  it("gives each entry what RFC 4287 asks for", async () => {
    for (const entry of entriesOf(await feedAt(filePaths.feed()))) {
      const [author] = childrenOf(entry, "author");
      expect(textIn(entry, "id")).toMatch(new RegExp(`^${SITE}/article/[\\w-]+$`));
      expect(textIn(entry, "title")).toMatch(/./);
      expect(textIn(entry, "updated")).toMatch(/Z$/);
      expect(author && textIn(author, "name")).toMatch(/./);
    }
  });

  it("leads to articles and pictures that exist", async () => {
    const [entry] = entriesOf(await feedAt(filePaths.feed()));
    if (!entry) throw new Error("The feed is empty");
    const page = await visitor().get(linkOf(entry, undefined) ?? "");
    const picture = linkOf(entry, "enclosure") ?? "";
    expect(page.status).toBe(200);
    expect(picture).toBe(sharedOf(page)["og:image"]);
    expect((await visitor().open(picture)).status).toBe(200);
  });

  it("has whole addresses in its texts", async () => {
    const contents = entriesOf(await feedAt(filePaths.feed())).map((one) => textIn(one, "content"));
    const text = contents.join("");
    expect(text).toContain(`href="${SITE}/`);
    expect(text).not.toMatch(/ (?:href|src)="\/(?!\/)/);
  });

  it("of a category holds its articles only", async () => {
    const feed = await feedAt(filePaths.feed("signes"));
    const uids = entriesOf(feed).map((entry) => textIn(entry, "id")?.split("/").at(-1));
    const wanted = ARTICLES.filter(({ text }) => /^category: signes$/m.test(text));
    expect(uids.sort()).toEqual(wanted.map(({ uid }) => uid).sort());
    expect(linkOf(feed, "alternate")).toBe(`${SITE}/articles?categories=signes`);
    expect(textIn(feed, "title")).toContain("Signes");
  });

  it.each(["/feed/unknown.xml", "/feed/signes", "/feed/.xml", "/feed/%00.xml", "/feed/a%2Fb.xml"])(
    "is missing at %s",
    async (path) => {
      const answer = await visitor().open(path);
      expect([answer.status, answer.headers.get("cache-control")]).toEqual([404, "no-store"]);
    },
  );
});

describe("a page names its feed", () => {
  it.each([
    ["/", filePaths.feed()],
    ["/articles", filePaths.feed()],
    ["/articles?categories=signes", filePaths.feed("signes")],
    ["/articles?categories=signes&categories=planetes", filePaths.feed()],
    ["/articles?categories=unknown", filePaths.feed()],
  ])("at %s: %s", async (path, feed) => {
    const { dom } = await visitor().get(path);
    const [link, ...others] = dom.querySelectorAll('link[type="application/atom+xml"]');
    expect(others).toEqual([]);
    expect(link?.getAttribute("href")).toBe(SITE + feed);
    expect(await feedAt(feed).then((found) => textIn(found, "title"))).toBe(
      link?.getAttribute("title"),
    );
  });
});

describe("of a withheld part", () => {
  /** So many words in a row do not stand twice by chance. */
  const RUN = 6;
  const words = (text: string) => text.toLowerCase().match(/[\p{L}\d]+/gu) ?? [];
  const runsOf = (text: string) => {
    const all = words(text);
    return all.slice(0, 1 - RUN).map((_, index) => all.slice(index, index + RUN).join(" "));
  };
  const free = new Set(ARTICLES.flatMap(({ text }) => runsOf(text.split(BREAK)[0] ?? "")));
  const restricted = ARTICLES.filter(({ text }) => text.includes(BREAK)).map(({ uid, text }) => {
    const [open = "", withheld = ""] = text.split(BREAK);
    return { uid, open, runs: runsOf(withheld).filter((run) => !free.has(run)) };
  });
  const found = (text: string, runs: readonly string[]) => {
    const all = new Set(runsOf(text.replace(/<[^<>]*>/g, " ")));
    return runs.filter((run) => all.has(run));
  };

  it("no words stand in a feed", async () => {
    const categories = new Set(ARTICLES.map(({ text }) => /^category: (.+)$/m.exec(text)?.[1]));
    const feeds = [filePaths.feed(), ...[...categories].map(filePaths.feed)];
    for (const path of feeds) {
      const { body } = await visitor().get(path);
      for (const { uid, runs } of restricted)
        expect([path, uid, found(body, runs)]).toEqual([path, uid, []]);
    }
  });

  it("no words stand in what a page says of itself", async () => {
    for (const { uid, runs } of restricted) {
      const page = await visitor().get(paths.article(uid));
      const said = JSON.stringify([sharedOf(page), dataOf(page)]);
      expect([uid, found(said, runs)]).toEqual([uid, []]);
    }
  });

  it("a subscriber reads the words that are searched for here", async () => {
    const reader = visitor();
    await subscribe(reader);
    const signedIn = await reader.get(filePaths.feed());
    for (const { uid, runs } of restricted) {
      const { html } = await reader.get(paths.article(uid));
      expect(found(html, runs).length).toBeGreaterThan(runs.length / 2);
      expect(found(signedIn.body, runs)).toEqual([]);
    }
  });

  it("the free part stands in the feed", async () => {
    const { body } = await visitor().get(filePaths.feed());
    const inFeed = restricted.filter(({ uid }) => body.includes(`/article/${uid}<`));
    expect(inFeed.length).toBeGreaterThan(3);
    for (const { open } of inFeed) {
      const runs = runsOf(open.split("\n---\n")[1] ?? "");
      expect(found(body, runs).length).toBeGreaterThan(runs.length / 2);
    }
  });
});

it.each([
  filePaths.sitemap(),
  filePaths.robots(),
  filePaths.feed(),
  filePaths.articlePicture("heure-de-naissance-inconnue"),
])("%s sets no cookie and answers to HEAD as to GET", async (path) => {
  const [get, head] = [await visitor().open(path), await visitor().open(path, { method: "HEAD" })];
  expect([get.status, head.status]).toEqual([200, 200]);
  expect(head.headers.get("etag")).toBe(get.headers.get("etag"));
  expect(head.headers.get("content-type")).toBe(get.headers.get("content-type"));
  expect(get.headers.has("set-cookie")).toBe(false);
});
