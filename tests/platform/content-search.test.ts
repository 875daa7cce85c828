import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { retireDemoContent } from "../../server/platform/content/demo-content";
import { importContent } from "../../server/platform/content/import";
import { excerptsOf } from "../../server/platform/content/search/excerpt";
import { prepareIndex } from "../../server/platform/content/search/index-articles";
import { termsOf } from "../../server/platform/content/search/query";
import { stem, stemsIn } from "../../server/platform/content/search/stems";
import {
  articleFile,
  contentFolder,
  readContent,
  references,
  type Files,
} from "../support/content";
import { onEachDatabase, type TestPlatform } from "../support/platform";

const cleanups: (() => void)[] = [];
afterEach(() => cleanups.splice(0).forEach((cleanup) => cleanup()));

function folder(files: Files) {
  const { directory, remove } = contentFolder({ ...references, ...files });
  cleanups.push(remove);
  return directory;
}

type Query = Record<string, string>;

async function search(platform: TestPlatform, q: string, more: Query = {}) {
  const query = new URLSearchParams({ q, ...more });
  const { status, body } = await platform.call(`GET /content/articles?${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

async function uids(platform: TestPlatform, q: string, more?: Query) {
  const { payload } = await search(platform, q, more);
  return payload.map(({ uid }: { uid: string }) => uid).join(" ");
}

const WITHHELD = "Un passage libre.\n\n<!-- vip -->\n\nLe secret du rhinocéros argenté se mérite.";

describe("the stem of a French word", () => {
  test.each([
    ["lune", "lunes"],
    ["planète", "planètes"],
    ["astral", "astraux", "astrale", "astrales"],
    ["niveau", "niveaux"],
    ["nouveau", "nouvelle", "nouveaux", "nouvelles"],
    ["jumeau", "jumelle"],
    ["feu", "feux"],
    ["heureux", "heureuse", "heureuses"],
    ["positif", "positive", "positives"],
    ["premier", "première", "premières"],
    ["aimer", "aimé", "aimée", "aimées", "aime"],
    ["décider", "décidé", "décide", "décidées"],
    ["changement", "changements", "changer", "change"],
    ["lion", "lionne", "lionnes"],
    ["cœur", "coeurs"],
    ["ancien", "anciennes"],
  ])("is the same for all forms of « %s »", (...forms) => {
    expect(new Set(forms.flatMap(stemsIn)).size, forms.map(stemsIn).join()).toBe(1);
  });

  test.each([
    ["mer", "mère"],
    ["constellation", "conseil"],
    ["lune", "lutte"],
    ["maison", "mai"],
    ["2026", "2025"],
  ])("keeps « %s » and « %s » apart", (one, other) => {
    expect(stemsIn(one)).not.toEqual(stemsIn(other));
  });

  test("of any word is found again by the word itself", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        for (const found of stemsIn(text)) expect(found).toMatch(/^[\p{L}\p{N}]{1,40}$/u);
        expect(stemsIn(text)).toEqual(stemsIn(text.normalize("NFD")));
        expect(stem("")).toBe("");
      }),
    );
  });
});

onEachDatabase("a search", (open) => {
  const some = () =>
    folder({
      "articles/a.md": articleFile({ title: "La pleine lune" }, "Rien de plus ici."),
      "articles/b.md": articleFile(
        { tags: [] },
        "L’amour des étoiles filantes, un cœur à prendre.",
      ),
      "articles/c.md": articleFile(
        { author: "emile", category: "cycles", tags: ["mars"] },
        "Les chevaux astraux galopent sous la lune.",
      ),
      "articles/d.md": articleFile({ access: "vip", tags: [] }, WITHHELD),
    });

  test.each([
    ["amour", "b"],
    ["AMOUR", "b"],
    ["l'amour", "b"],
    ["l’amour d'une etoile", "b"],
    ["coeur", "b"],
    ["cœurs", "b"],
    ["cheval", "c"],
    ["astrale", "c"],
    ["Étoile filante", "b"],
    ["galop", "c"],
    ["galo", "c"],
    ["ga", ""],
    ["lune cheval", "c"],
    ["lune licorne", ""],
    ["émile", "c"],
    ["cycle", "c"],
    ["mars", "c"],
    ["rhinoceros", "d"],
  ])("for « %s » finds « %s »", async (q, found) => {
    expect(await uids(await open({ contentDir: some() }), q)).toBe(found);
  });

  test("matches only its last word as a beginning", async () => {
    const platform = await open({ contentDir: some() });
    expect(await uids(platform, "étoi fila")).toBe("");
    expect(await uids(platform, "étoiles fila")).toBe("b");
    expect(await uids(platform, "fila ")).toBe("b");
  });

  test("ranks title, summary, names, subjects, then text", async () => {
    const date = (day: number) => `2026-01-0${day}`;
    const body = "Une orbite.";
    const contentDir = folder({
      "authors/orbite.md": "---\nname: Orbite Martin\norder: 3\n---\n",
      "articles/text.md": articleFile({ date: date(9) }, body),
      "articles/subject.md": articleFile({ date: date(8) }, `## Orbites\n\n${body}`),
      "articles/name.md": articleFile({ date: date(7), author: "orbite" }),
      "articles/title.md": articleFile({ date: date(5), title: "Orbites" }, body),
      "articles/older.md": articleFile({ date: date(4), title: "Orbites" }, body),
      "articles/prefix.md": articleFile({ date: date(6), title: "Orbitales" }, body),
    });
    const platform = await open({ contentDir });
    expect(await uids(platform, "orbit")).toBe("title older prefix name subject text");
    expect(await uids(platform, "orbit", { "sort[date]": "desc" })).toBe(
      "text subject name prefix title older",
    );
    expect(await uids(platform, "orbit", { "sort[date]": "asc", length: "2" })).toBe("older title");
  });

  test("stands beside all filters", async () => {
    const platform = await open({ contentDir: some() });
    expect(await uids(platform, "lune")).toBe("a c");
    expect(await uids(platform, "lune", { authors: "emile" })).toBe("c");
    expect(await uids(platform, "lune", { categories: "signes" })).toBe("a");
    expect(await uids(platform, "lune", { tags: "mars", authors: "emile" })).toBe("c");
    expect(await uids(platform, "lune", { tags: "mars", authors: "zoe" })).toBe("");
    expect(await uids(platform, "lune", { ids: "a" })).toBe("a");
    expect(await uids(platform, "lune", { authors: "Emile" })).toBe("");
  });

  test("visits each article once, page by page", async () => {
    const platform = await open();
    const orders: Query[] = [{}, { "sort[date]": "desc" }, { "sort[author]": "asc" }];
    for (const sort of orders) {
      const { payload, search: told } = await search(platform, "lune", { ...sort, length: "100" });
      const all = payload.map(({ uid }: { uid: string }) => uid);
      expect(told).toEqual({ words: ["lune"], count: all.length, isMinimum: false });
      const walked: string[] = [];
      for (let after: Query = {}; ;) {
        const body = await search(platform, "lune", { ...sort, ...after, length: "3" });
        walked.push(...body.payload.map(({ uid }: { uid: string }) => uid));
        if (!body.page.hasNextPage) break;
        after = { after: body.page.endCursor };
      }
      expect(walked.length).toBeGreaterThan(6);
      expect(walked).toEqual(all);
    }
  });

  test("refuses cursors of another order", async () => {
    const platform = await open();
    const { page } = await search(platform, "lune", { length: "2" });
    const other = `GET /content/articles?q=lune&sort[date]=desc&after=${page.endCursor}`;
    expect((await platform.call(other)).status).toBe(400);
    const { page: dated } = await search(platform, "lune", { length: "2", "sort[date]": "desc" });
    expect(
      (await platform.call(`GET /content/articles?q=lune&after=${dated.endCursor}`)).status,
    ).toBe(400);
  });

  test("without a word that counts is the whole list", async () => {
    const platform = await open({ contentDir: some() });
    const all = await uids(platform, "");
    expect(all.split(" ")).toHaveLength(4);
    for (const q of [" ", "!?…", "🌙", "le la les", "l’"]) {
      const body = await search(platform, q);
      expect(body.payload).toHaveLength(4);
      expect(body.search?.words ?? []).toEqual([]);
    }
  });

  test("finds what was imported, changed or renamed, and no more what was removed", async () => {
    const platform = await open();
    const { database } = platform;
    const put = (files: Files) => importContent(database, folder(files));
    await put({ "articles/neuf.md": articleFile({}, "Un ornithorynque.") });
    expect(await uids(platform, "ornithorynque")).toBe("neuf");
    await put({ "articles/neuf.md": articleFile({ tags: ["mars"] }, "Une autruche.") });
    expect(await uids(platform, "ornithorynque")).toBe("");
    expect(await uids(platform, "autruche")).toBe("neuf");
    await put({ "authors/zoe.md": "---\nname: Zoé Quetzal\norder: 1\n---\n" });
    expect(await uids(platform, "quetzal")).toBe("neuf");
    await put({ "tags/mars.md": "---\nname: Axolotl\norder: 1\n---\n" });
    expect(await uids(platform, "axolotl", { tags: "mars" })).toContain("neuf");
    await put({ "categories/signes.md": "---\nname: Dragons\norder: 1\n---\n" });
    expect(await uids(platform, "dragon", { authors: "zoe" })).toBe("neuf");
    expect(await uids(platform, "thème natal")).not.toBe("");
    await retireDemoContent({ db: database, contentDir: "server/content" });
    expect(await uids(platform, "thème natal")).toBe("");
    expect(await uids(platform, "autruche")).toBe("neuf");
  });

  test("finds articles that stood there before the index", async () => {
    const platform = await open();
    const before = await uids(platform, "saturne", { length: "100" });
    expect(before).not.toBe("");
    await platform.database.deleteFrom("article_token").execute();
    await platform.database.deleteFrom("article_search").execute();
    await platform.database.deleteFrom("setting").where("name", "=", "article_index").execute();
    expect(await uids(platform, "saturne")).toBe("");
    await platform.database.transaction().execute(prepareIndex);
    expect(await uids(platform, "saturne", { length: "100" })).toBe(before);
  });

  test("tells apart articles with one date and one place", async () => {
    const files = Array.from({ length: 400 }, (_, index) => [
      `articles/a${index}.md`,
      articleFile({ title: "Zèbre", date: "2026-01-01" }),
    ]);
    const platform = await open({ contentDir: folder(Object.fromEntries(files)) });
    const { search: told } = await search(platform, "zèbre");
    expect(told).toEqual({ words: ["zebre"], count: 200, isMinimum: true });
    const places = await platform.database.selectFrom("article_search").select("place").execute();
    expect(new Set(places.map(({ place }) => place)).size).toBe(400);
  });
});

test("excerpts of many articles let other requests run between", async () => {
  const row = { summary: "Un résumé.", opening: "<p>La lune et les planètes.</p>" };
  const rows = Array.from({ length: 100 }, (_, index) => ({ uid: `a${index}`, ...row }));
  let isMade = false;
  const made = excerptsOf(rows, termsOf("lune")).finally(() => (isMade = true));
  let turns = 0;
  while (!isMade) {
    await setImmediate();
    turns++;
  }
  expect((await made).size).toBe(100);
  expect(turns).toBeGreaterThan(20);
});

onEachDatabase("an excerpt", (open) => {
  const articles = () =>
    folder({
      "articles/d.md": articleFile({ access: "vip", tags: [] }, WITHHELD),
      "articles/e.md": articleFile(
        { tags: [] },
        `## Un titre\n\nRien.\n\n${"Bla bla. ".repeat(60)}L’*étoile* & <la> lune des étoiles. ${"Fin. ".repeat(60)}`,
      ),
    });

  test("shows the words found in their sentence", async () => {
    const { payload } = await search(await open({ contentDir: articles() }), "lune étoile");
    const [{ excerpt }] = payload;
    const marked = excerpt.filter((_: string, index: number) => index % 2 === 1);
    expect(marked).toEqual(["étoile", "lune", "étoiles"]);
    expect(excerpt.join("")).toContain("L’étoile & <la> lune des étoiles.");
    expect(excerpt.join("")).toMatch(/^… .* …$/);
    expect(excerpt.join("").length).toBeLessThan(210);
  });

  test("of the withheld part is for subscribers alone", async () => {
    const { database } = await open({ contentDir: articles() });
    const path = "/content/articles?q=rhinoc%C3%A9ros";
    for (const token of [undefined, "visitor"] as const) {
      const { text } = await readContent(database, path, token);
      const { payload } = JSON.parse(text);
      expect(payload).toMatchObject([{ uid: "d", restricted: true }]);
      expect(payload[0]).not.toHaveProperty("excerpt");
      expect(text).not.toMatch(/argenté|secret/);
    }
    const { text } = await readContent(database, path, "subscriber");
    expect(JSON.parse(text).payload[0].excerpt).toEqual([
      "Le secret du ",
      "rhinocéros",
      " argenté se mérite.",
    ]);
  });

  test("reveals no withheld sentence of any demonstration article", async () => {
    const { database } = await open();
    const rows = await database
      .selectFrom("article")
      .select(["uid", "remainder"])
      .where("restricted", "=", 1)
      .execute();
    for (const { uid, remainder } of rows) {
      const sentences = remainder.split(/<[^<>]+>/).filter((text) => text.length > 40);
      for (const sentence of sentences.slice(0, 5)) {
        const words = sentence.match(/\p{L}{6,}/gu)?.slice(0, 3) ?? [];
        const query = new URLSearchParams({ q: words.join(" ").slice(0, 100), ids: uid });
        const { text } = await readContent(database, `/content/articles?${query}`, "visitor");
        const [found] = JSON.parse(text).payload;
        const excerpt = (found?.excerpt ?? []).join("").replaceAll("…", "").trim();
        if (excerpt) expect(remainder).not.toContain(excerpt);
      }
    }
  });
});

onEachDatabase("a hostile search", (open) => {
  const TRICKS = [
    '"',
    '""',
    "'",
    "''",
    "lune'",
    "lune*",
    "*",
    "lune AND",
    "NEAR(lune mars)",
    "NEAR",
    "OR",
    "NOT lune",
    "title:lune",
    "title : lune",
    "{tokens} : lune",
    "^lune",
    "-lune",
    "lune & !mars",
    "lune:*",
    "lune <-> mars",
    "\\",
    "%",
    "_",
    "a:b:c",
    "author:zoe",
    ":::",
    "(lune",
    "'; drop table article; --",
    "ﬁ ½ ² ™",
    "\u200b\u202e",
    "𝔩𝔲𝔫𝔢",
    "月 ♈ лун",
    "İıß",
  ];

  test("in the syntax of the databases is only words", async () => {
    const platform = await open();
    for (const q of TRICKS) await search(platform, q);
    expect(await uids(platform, "lune AND")).toBe(await uids(platform, "and lune").then(() => ""));
    expect(await uids(platform, "author:zoe")).toBe("");
    expect(await uids(platform, "head:lune")).toBe("");
    expect(await uids(platform, "lune:*")).toBe(await uids(platform, "lune "));
  });

  test("that is too long or no text is refused", async () => {
    const { call } = await open();
    for (const q of ["x".repeat(101), "x".repeat(10_000), "%00", "lune%00"]) {
      const { status, body } = await call(`GET /content/articles?q=${q}`);
      expect(status).toBe(400);
      expect(body.violations).toMatchObject([{ property: "q" }]);
    }
    expect((await call("GET /content/articles?q=a&q=b")).status).toBe(400);
  });

  const answers = new Map<string, string>();

  test("of any signs finds the same on both databases", async () => {
    const platform = await open();
    const isSecond = answers.size > 0;
    const word = fc.constantFrom("lune", "l’", "NEAR", "étoiles", '"', "*", ":", "mar", "🌙", "-");
    const typed = fc.oneof(
      fc.array(word, { maxLength: 8 }).map((words) => words.join(" ").slice(0, 100)),
      fc.string({ unit: "binary", maxLength: 40 }).filter((text) => !text.includes("\0")),
      fc.string({ unit: "grapheme", maxLength: 20 }),
    );
    await fc.assert(
      fc.asyncProperty(typed, async (q) => {
        const told = JSON.stringify(await search(platform, q.replace(/\p{Cs}/gu, "")));
        if (isSecond) expect(told).toBe(answers.get(q));
        answers.set(q, told);
      }),
      { numRuns: 200, seed: 46 },
    );
  });
});
