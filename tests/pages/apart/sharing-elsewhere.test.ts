import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { filePaths, paths } from "~/paths";
import { openPages } from "../../support/pages";
import { dataOf, dataOfType, sharedOf } from "../../support/shared-data";
import { childrenOf, parseXml, textIn } from "../../support/xml";
import { openLyingApi } from "../lying-api";

const api = await openLyingApi();
afterAll(() => api.close());

const { visitor } = openPages({ API_URL: api.url });

/** Feeds and addresses are kept for minutes: each test comes after them. */
let now = Date.now();
vi.useFakeTimers({ toFake: ["Date"], now });
afterAll(() => vi.useRealTimers());
beforeEach(() => {
  vi.setSystemTime((now += 3_600_000));
  api.tell();
  api.become();
});

const PICTURE = filePaths.articlePicture("lune");
const READ = [
  [filePaths.sitemap(), "listArticles"],
  [filePaths.sitemap(), "listPages"],
  [filePaths.feed(), "listArticles"],
  [filePaths.feed(), "getArticle"],
  [filePaths.feed(), "listAuthors"],
  [filePaths.feed("ciel"), "listArticles"],
  [PICTURE, "getArticle"],
] as const;

describe("an API elsewhere", () => {
  it.each([filePaths.sitemap(), filePaths.feed(), filePaths.feed("ciel"), PICTURE])(
    "serves %s",
    async (path) => {
      expect((await visitor().open(path)).status).toBe(200);
    },
  );

  it.each(READ)("that fails makes %s a 502: %s", async (path, call) => {
    for (const how of [500, 503, "html", "cut", "types", "reset"] as const) {
      api.tell({ call, how });
      const answer = await visitor().get(path);
      expect([how, answer.status, answer.headers.get("cache-control")]).toEqual([
        how,
        502,
        "no-store",
      ]);
      expect(answer.headers.get("retry-after")).toBe("60");
      expect(answer.body).not.toContain("<");
    }
    api.tell();
    expect((await visitor().open(path)).status).toBe(200);
  });

  it("is read once for all who ask at the same time", async () => {
    const asked = Array.from({ length: 10 }, () => visitor().get(filePaths.sitemap()));
    const bodies = (await Promise.all(asked)).map(({ body }) => body);
    expect(new Set(bodies).size).toBe(1);
    expect(api.calls.get("listArticles")).toBe(1);
  });

  it("is not asked again within minutes", async () => {
    await visitor().get(filePaths.feed());
    api.tell();
    await visitor().get(filePaths.feed());
    expect(api.calls.size).toBe(0);
    vi.setSystemTime((now += 600_000));
    await visitor().get(filePaths.feed());
    expect(api.calls.get("listArticles")).toBe(1);
  });

  it("leaves an article out of the feed that went meanwhile", async () => {
    api.tell({ call: "getArticle", how: 404 });
    const { status, body } = await visitor().get(filePaths.feed());
    expect([status, childrenOf(parseXml(body), "entry")]).toEqual([200, []]);
  });
});

describe("a hostile text stays data", () => {
  const HOSTILE = [
    "</script><script>alert(1)</script>",
    "<!--<script>",
    "a & b &amp; c &lt;",
    `"quotes" 'and' \\ “more”`,
    "une lune \u{1f319}\u200b, zéro\u200d",
    "]]>]]><x/>]]>",
    "\u0000\u0008\u001f\uffff",
  ];
  const summary = {
    uid: "lune",
    date: "2026-03-14",
    readingMinutes: 3,
    author: "solene",
    category: "ciel",
    tags: [],
  };
  const page = { hasNextPage: false, endCursor: null };

  function become(text: string) {
    const named = { ...summary, title: text, summary: text, restricted: true };
    api.become({
      listArticles: { payload: [named], page },
      getArticle: {
        payload: { ...named, body: `<p>${text.replaceAll("<", "&lt;")}</p>`, partial: true },
      },
      listAuthors: { payload: [{ uid: "solene", name: text }], page },
      listCategories: { payload: [{ uid: "ciel", name: text }], page },
      getPage: {
        payload: {
          uid: "home",
          title: text,
          summary: text,
          date: "2026-03-14",
          body: `<h3>Q</h3><p>${text.replaceAll("<", "&lt;")}</p>`,
        },
      },
    });
  }

  it.each(HOSTILE)("in an article: %j", async (text) => {
    become(text);
    const answer = await visitor().get(paths.article("lune"));
    const [article] = dataOfType(answer, "Article");
    expect(article).toMatchObject({ headline: text, description: text, author: { name: text } });
    expect(dataOf(answer)).toHaveLength(2);
    const { dom } = answer;
    expect(dom.querySelectorAll("script").map((one) => one.getAttribute("type"))).toEqual([
      "application/ld+json",
      "module",
    ]);
    expect(sharedOf(answer)["og:title"]).toBe(text.replaceAll("\0", ""));
  });

  it.each(HOSTILE)("on the home page: %j", async (text) => {
    become(text);
    const answer = await visitor().get(paths.home());
    expect(dataOf(answer).map((data) => data["@type"])).toEqual(["Organization", "WebSite"]);
    expect(answer.dom.querySelectorAll("script")).toHaveLength(2);
  });

  it.each(HOSTILE)("in a feed: %j", async (text) => {
    become(text);
    const feed = parseXml((await visitor().get(filePaths.feed("ciel"))).body);
    const [entry, ...others] = childrenOf(feed, "entry");
    if (!entry) throw new Error("The feed is empty");
    expect(others).toEqual([]);
    expect(feed.children.filter(({ name }) => name === "x")).toEqual([]);
    // eslint-disable-next-line no-control-regex -- XML cannot hold these
    const plain = text.replace(/[\0-\x1f\uffff]/g, "");
    const [author] = childrenOf(entry, "author");
    expect(author && textIn(author, "name")).toBe(plain);
    expect(textIn(feed, "title")).toContain(plain);
    expect(decoded(textIn(entry, "title"))).toBe(plain);
    expect(decoded(textIn(entry, "summary"))).toBe(plain);
  });

  /** The package declares titles as HTML, which a feed reader decodes. */
  const decoded = (html = "") => {
    expect(html).not.toMatch(/[<>]/);
    return html.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
  };
});
