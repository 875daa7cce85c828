import { expect, test } from "vitest";
import { onEachDatabase, type TestPlatform } from "../support/platform";

const uids = (body: { payload: { uid: string }[] }) => body.payload.map(({ uid }) => uid);

onEachDatabase("reference data", (open) => {
  test("comes in the order of its position", async () => {
    const { call } = await open();
    const order = ["theme-natal", "signes", "planetes", "maisons", "cycles", "pratique"];
    expect(uids((await call("GET /content/categories")).body)).toEqual(order);
    const { body } = await call("GET /content/authors");
    expect(uids(body).slice(0, 2)).toEqual(["claire-vasseur", "malik-berrada"]);
    expect(body.page).toEqual({ hasNextPage: false, endCursor: null });
  });

  test("is paged by ten and by cursor", async () => {
    const { call } = await open();
    const first = await call("GET /content/tags");
    expect(first.body.payload).toHaveLength(10);
    const next = await call(`GET /content/tags?after=${first.body.page.endCursor}`);
    expect(new Set([...uids(first.body), ...uids(next.body)]).size).toBe(15);
    expect(next.body.page.hasNextPage).toBe(false);
  });

  test("is narrowed to the uids asked for", async () => {
    const { call } = await open();
    for (const [kind, uid] of Object.entries(samples)) {
      const { body } = await call(`GET /content/${kind}?ids=${uid}&ids=unknown`);
      expect(uids(body), kind).toEqual([uid]);
    }
  });

  test("is read one by one, as listed", async () => {
    const platform = await open();
    for (const [kind, uid] of Object.entries(samples)) {
      const listed = await platform.call(`GET /content/${kind}?ids=${uid}`);
      const { status, body } = await platform.call(`GET /content/${kind}/${uid}`);
      expect(status, kind).toBe(200);
      expect(body.payload).toEqual(listed.body.payload[0]);
    }
  });

  test("leaves out what is empty, keeps descriptions", async () => {
    const { call } = await open();
    const { payload: tag } = (await call("GET /content/tags/lune")).body;
    expect(tag).toEqual({ uid: "lune", name: "Lune" });
    const { payload: author } = (await call("GET /content/authors/claire-vasseur")).body;
    expect(author.biography).toMatch(/^<p>Claire Vasseur/);
    const { payload: category } = (await call("GET /content/categories/cycles")).body;
    expect(category.description).toMatch(/^Lunaisons/);
  });
});

onEachDatabase("medias", (open) => {
  test("are narrowed by author and type", async () => {
    const { call } = await open();
    const by = async (query: string) => uids((await call(`GET /content/medias${query}`)).body);
    expect(await by("")).toEqual(["orbites", "phases-de-la-lune", "roue-du-zodiaque"]);
    expect(await by("?author=claire-vasseur&authors=hugo-lemaire")).toHaveLength(2);
    expect(await by("?mimeType=image/svg%2Bxml")).toHaveLength(3);
    expect(await by("?mimeType=image/png")).toEqual([]);
  });

  test("are sorted by date and author", async () => {
    const platform = await open();
    const dates = ["roue-du-zodiaque", "phases-de-la-lune", "orbites"];
    expect(await walk(platform, "sort[date]=asc")).toEqual(dates);
    const authors = ["roue-du-zodiaque", "orbites", "phases-de-la-lune"];
    expect(await walk(platform, "sort[author]=asc")).toEqual(authors);
  });
});

onEachDatabase("redirections", (open) => {
  test("name the new address of a path", async () => {
    const { call } = await open();
    for (const path of ["/blog", "/blog/", "/blog?page=2", "/%62log"]) {
      const { body } = await call(`GET /redirects?path=${encodeURIComponent(path)}`);
      expect(body.payload, path).toEqual({ target: "/articles", status: 301 });
    }
    const { body } = await call("GET /redirects?path=/astrologie-officielle");
    expect(body.payload).toEqual({ target: "https://example.org/astrologie", status: 302 });
  });

  test("are unknown for every other path", async () => {
    const { call } = await open();
    expect((await call("GET /redirects?path=/articles")).status).toBe(404);
  });
});

const samples = {
  authors: "hugo-lemaire",
  categories: "signes",
  tags: "lune",
  pages: "privacy",
  medias: "orbites",
};

/** One media to a page, from the first to the last. */
async function walk({ call }: TestPlatform, query: string) {
  const walked: string[] = [];
  for (let after = ""; ;) {
    const { body } = await call(`GET /content/medias?length=1&${query}${after}`);
    walked.push(...uids(body));
    if (!body.page.hasNextPage) return walked;
    after = `&after=${body.page.endCursor}`;
  }
}
