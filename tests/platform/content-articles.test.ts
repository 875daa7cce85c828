import { afterEach, expect, test } from "vitest";
import { importContent } from "../../server/platform/content/import";
import { articleFile, contentFolder, references, type Files } from "../support/content";
import { onEachDatabase, type TestPlatform } from "../support/platform";

const cleanups: (() => void)[] = [];
afterEach(() => cleanups.splice(0).forEach((cleanup) => cleanup()));

function folder(files: Files) {
  const { directory, remove } = contentFolder(files);
  cleanups.push(remove);
  return directory;
}

const some = folder.bind(null, {
  ...references,
  "articles/a.md": articleFile({ author: "zoe", date: "2026-01-03", menu: 2 }),
  "articles/b.md": articleFile({ author: "emile", date: "2026-01-02", category: "cycles" }),
  "articles/c.md": articleFile({ author: "zoe", date: "2026-01-01", tags: ["mars"], menu: 1 }),
  "articles/d.md": articleFile({ author: "emile", date: "2026-01-03", tags: ["mars", "lune"] }),
  "articles/E.md": articleFile({ author: "zoe", date: "2026-01-03T08:00:00+02:00", tags: [] }),
});

async function uids(platform: TestPlatform, query: string) {
  const { status, body } = await platform.call(`GET /content/articles${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.payload.map(({ uid }: { uid: string }) => uid).join("");
}

onEachDatabase("articles", (open) => {
  test("come newest first by default", async () => {
    expect(await uids(await open({ contentDir: some() }), "")).toBe("Edabc");
  });

  test("are narrowed by each kind of filter", async () => {
    const platform = await open({ contentDir: some() });
    expect(await uids(platform, "?ids=a&ids=c")).toBe("ac");
    expect(await uids(platform, "?author=emile")).toBe("db");
    expect(await uids(platform, "?category=cycles")).toBe("b");
    expect(await uids(platform, "?tag=mars")).toBe("dc");
    expect(await uids(platform, "?ids=unknown")).toBe("");
  });

  test("match any of one kind, all kinds together", async () => {
    const platform = await open({ contentDir: some() });
    expect(await uids(platform, "?author=emile&authors=zoe")).toBe("Edabc");
    expect(await uids(platform, "?category=cycles&categories=signes&categories=none")).toBe(
      "Edabc",
    );
    expect(await uids(platform, "?tag=mars&tags=lune&tags=none")).toBe("dabc");
    expect(await uids(platform, "?tag=mars&author=zoe")).toBe("c");
    expect(await uids(platform, "?tag=mars&author=zoe&category=cycles")).toBe("");
  });

  test("are counted where they are filtered, each once", async () => {
    const { call } = await open({ contentDir: some() });
    const total = async (query: string) => (await call(`GET /content/articles${query}`)).body.total;
    expect(await total("?author=emile&length=1")).toEqual({ count: 2, isMinimum: false });
    expect(await total("?tag=mars&tag=lune")).toEqual({ count: 4, isMinimum: false });
    expect(await total("?tag=mars&author=zoe")).toEqual({ count: 1, isMinimum: false });
    expect(await total("?category=none")).toEqual({ count: 0, isMinimum: false });
    const { body } = await call("GET /content/articles?author=emile&length=1");
    const next = `?author=emile&length=1&after=${body.page.endCursor}`;
    expect(await total(next)).toEqual({ count: 2, isMinimum: false });
    for (const query of ["", "?ids=a", "?tags=a&tags=b&tags=c&tags=d&tags=e&tags=f"])
      expect(await total(query)).toBeUndefined();
  });

  test("are sorted by date, author's name and menu", async () => {
    const platform = await open({ contentDir: some() });
    expect(await uids(platform, "?sort[date]=asc")).toBe("cbadE");
    expect(await uids(platform, "?sort[author]=asc")).toBe("dbEac");
    expect(await uids(platform, "?sort[author]=desc")).toBe("Eacdb");
    expect(await uids(platform, "?sort[menu]=asc")).toBe("caEdb");
    expect(await uids(platform, "?sort[author]=desc&sort[date]=asc")).toBe("caEbd");
    expect(await uids(platform, "?sort[date]=asc&sort[author]=desc")).toBe("cbadE");
    expect(await uids(platform, "?sort[date]=desc&sort[menu]=desc&length=2")).toBe("Ed");
  });

  test("carry ten to a page by default", async () => {
    const { call } = await open();
    const { body } = await call("GET /content/articles");
    expect(body.payload).toHaveLength(10);
    expect(body.page).toEqual({ hasNextPage: true, endCursor: expect.any(String) });
  });

  test("are each visited once by any walk", async () => {
    const platform = await open();
    const { body } = await platform.call("GET /content/articles?length=100");
    const all = body.payload.map(({ uid }: { uid: string }) => uid);
    for (const sort of ["", "&sort[author]=asc", "&sort[menu]=desc&sort[author]=desc"]) {
      const walked = await walk(platform, `?length=3${sort}`);
      expect(walked).toHaveLength(all.length);
      expect([...walked].sort()).toEqual([...all].sort());
    }
  });

  test("inserted during a walk disturb no other", async () => {
    const platform = await open();
    const { body } = await platform.call("GET /content/articles?length=100");
    let count = 0;
    const walked = await walk(platform, "?length=4", async () => {
      const date = count++ % 2 ? "2030-01-01" : "2020-01-01";
      const file = { [`articles/later-${count}.md`]: articleFile({ date }) };
      await importContent(platform.database, folder({ ...references, ...file }));
    });
    const before = body.payload.map(({ uid }: { uid: string }) => uid);
    expect(walked.filter((uid) => before.includes(uid))).toEqual(before);
    expect(new Set(walked).size).toBe(walked.length);
    expect(count).toBeGreaterThan(5);
  });

  test("end without a cursor on the last page", async () => {
    const { call } = await open({ contentDir: some() });
    const { body } = await call("GET /content/articles?length=5");
    expect(body.page).toEqual({ hasNextPage: false, endCursor: null });
  });
});

onEachDatabase("related articles", (open) => {
  const files = {
    ...references,
    "articles/a.md": articleFile({ related: ["d"], tags: ["lune"], date: "2026-01-01" }),
    "articles/b.md": articleFile({ category: "cycles", tags: ["lune"], date: "2026-01-05" }),
    "articles/c.md": articleFile({ category: "signes", tags: ["lune"], date: "2026-01-02" }),
    "articles/d.md": articleFile({ category: "cycles", tags: ["mars"], date: "2026-01-03" }),
    "articles/e.md": articleFile({ category: "cycles", tags: [], date: "2026-01-04" }),
  };
  const related = async (platform: TestPlatform, uid: string) => {
    const { body } = await platform.call(`GET /content/articles/related/${uid}`);
    return body.payload.map((article: { uid: string }) => article.uid).join("");
  };

  test("are the named ones, then the most similar", async () => {
    const platform = await open({ contentDir: folder(files) });
    expect(await related(platform, "a")).toBe("dcb");
    expect(await related(platform, "d")).toBe("be");
    expect(await related(platform, "e")).toBe("bd");
  });

  test("are three at most, never the article itself", async () => {
    const platform = await open();
    const { body } = await platform.call("GET /content/articles?length=100");
    for (const { uid } of body.payload) {
      const answer = await platform.call(`GET /content/articles/related/${uid}`);
      const near = answer.body.payload.map((article: { uid: string }) => article.uid);
      expect(near).toHaveLength(3);
      expect(near).not.toContain(uid);
      expect(new Set(near).size).toBe(3);
    }
  });
});

/** Follows the cursors to the end, doing something between two pages. */
async function walk(platform: TestPlatform, query: string, between = async () => {}) {
  const walked: string[] = [];
  for (let after = ""; ;) {
    const { status, body } = await platform.call(`GET /content/articles${query}${after}`);
    expect(status).toBe(200);
    walked.push(...body.payload.map(({ uid }: { uid: string }) => uid));
    if (!body.page.hasNextPage) return walked;
    after = `&after=${body.page.endCursor}`;
    await between();
  }
}
