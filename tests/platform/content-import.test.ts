import { afterEach, expect, test } from "vitest";
import { CONTENT_TABLES } from "../../server/platform/content/content";
import { importContent } from "../../server/platform/content/import";
import { ContentRefused } from "../../server/platform/content/faults";
import type { Database } from "../../server/platform/database/tables";
import { articleFile, contentFolder, references, type Files } from "../support/content";
import { onEachDatabase } from "../support/platform";

const cleanups: (() => void)[] = [];
afterEach(() => cleanups.splice(0).forEach((cleanup) => cleanup()));

function folder(files: Files) {
  const { directory, remove } = contentFolder(files);
  cleanups.push(remove);
  return directory;
}

/** The faults of an import, with their files as named below the folder. */
async function faultsOf(db: Database, files: Files) {
  const directory = folder(files);
  const refused = await importContent(db, directory).then(
    () => null,
    (error: unknown) => error,
  );
  if (!(refused instanceof ContentRefused)) throw new Error(`Not refused: ${String(refused)}`);
  return refused.message.split("\n").map((line) => line.replace(`${directory}/`, ""));
}

onEachDatabase("imports of content", (open) => {
  test("are refused with file, line and reason", async () => {
    const { database } = await open();
    const article = articleFile().split("\n");
    const faults = await faultsOf(database, {
      ...references,
      "articles/no-front.md": "Bonjour",
      "articles/twice.md": article.toSpliced(2, 0, 'title: "Encore"').join("\n"),
      "articles/unknown-key.md": article.toSpliced(4, 0, "colour: red").join("\n"),
      "articles/missing.md": article.toSpliced(2, 1).join("\n"),
      "articles/dated.md": articleFile({ date: "2026-02-30" }),
      "articles/access.md": articleFile({ access: "secret" }),
      "articles/nobody.md": articleFile({ author: "nobody", tags: ["lune", "pluton"] }),
      "articles/itself.md": articleFile({ related: ["itself"] }),
      "articles/not a uid.md": articleFile(),
      "articles/latin1.md": Buffer.from(articleFile({ title: "Été" }), "latin1"),
      "tags/wordy.md": "---\nname: Mots\norder: 1.5\n---\n\nUn texte.\n",
      "pages/script.md":
        "---\ntitle: T\nsummary: S\ndate: 2026-01-01\n---\n\n[a](javascript:x)\n[b](http://x.fr)\n\n# T\n\n![](/medias/../a.svg)\n",
      "redirects.yaml":
        "- path: /a\n  target: /b\n  status: 307\n- path: b\n  target: http://x.fr\n  status: 301\n",
      "artcles/a.md": articleFile(),
    });
    expect(faults).toMatchInlineSnapshot(`
      [
        "artcles:1: unknown name; known are authors, categories, tags, articles, pages, medias, redirects.yaml",
        "articles/access.md:8: access: must be vip or public",
        "articles/dated.md:7: date: must be a day (2026-03-14) or a moment (2026-03-14T09:00:00Z)",
        "articles/itself.md:9: related: names the article itself",
        "articles/latin1.md:1: is not UTF-8",
        "articles/missing.md:2: summary: is missing",
        "articles/no-front.md:1: no front matter between two --- lines",
        "articles/nobody.md:4: there is no author "nobody"",
        "articles/nobody.md:6: there is no tag "pluton"",
        "articles/not a uid.md:1: a file's name is its uid (letters, digits, - and _) and .md",
        "articles/twice.md:3: Map keys must be unique",
        "articles/unknown-key.md:5: unknown key "colour"",
        "pages/script.md:7: link to "javascript:x": only /path or https://",
        "pages/script.md:8: link to "http://x.fr": only /path or https://",
        "pages/script.md:10: headings start at ##: the title is the only #",
        "pages/script.md:12: image "/medias/../a.svg" has no alternative text",
        "pages/script.md:12: image "/medias/../a.svg": only /medias/… or https://",
        "redirects.yaml:3: 0.status: must be 301 or 302",
        "redirects.yaml:4: 1.path: must be /path, without ? and #",
        "redirects.yaml:5: 1.target: must be /path or https://…",
        "tags/wordy.md:3: order: Invalid input: expected int, received number",
      ]
    `);
  });

  test("need one mark where subscribers' part begins", async () => {
    const { database } = await open();
    const vip = (body: string) => articleFile({ access: "vip" }, body);
    const faults = await faultsOf(database, {
      ...references,
      "articles/none.md": vip("Un.\n\nDeux."),
      "articles/two.md": vip("Un.\n\n<!-- vip -->\n\nDeux.\n\n<!-- vip -->\n\nTrois."),
      "articles/misspelt.md": vip("Un.\n\n<!--VIP-->\n\nDeux."),
      "articles/first.md": vip("<!-- vip -->\n\nDeux."),
      "articles/last.md": vip("Un.\n\n<!-- vip -->\n"),
      "articles/public.md": articleFile({}, "Un.\n\n<!-- vip -->\n\nDeux."),
      "articles/inside.md": vip("Un. <!-- vip --> Deux."),
    });
    expect(faults).toMatchInlineSnapshot(`
      [
        "articles/first.md:11: no free part before <!-- vip -->",
        "articles/inside.md:11: write <!-- vip --> exactly, alone on its line",
        "articles/last.md:13: nothing after <!-- vip -->",
        "articles/misspelt.md:13: write <!-- vip --> exactly, alone on its line",
        "articles/none.md:10: access: vip needs one line <!-- vip --> where the free part ends",
        "articles/public.md:13: <!-- vip --> in an article with access: public",
        "articles/two.md:17: a second <!-- vip -->",
      ]
    `);
  });

  test("with one fault leave everything as it was", async () => {
    const { database } = await open();
    const before = await everything(database);
    await faultsOf(database, {
      ...references,
      "articles/good.md": articleFile(),
      "articles/journal-des-transits.md": articleFile(),
      "articles/faulty.md": articleFile({ category: "nowhere" }),
    });
    expect(await everything(database)).toEqual(before);
  });

  test("may refer to stored entries", async () => {
    const { database, call } = await open();
    const file = articleFile({ author: "claire-vasseur", related: ["journal-des-transits"] });
    await importContent(database, folder({ "articles/new.md": file }));
    expect((await call("GET /content/articles/new")).status).toBe(200);
    expect((await call("GET /content/articles/related/new")).body.payload[0].uid).toBe(
      "journal-des-transits",
    );
  });

  test("done twice change nothing the second time", async () => {
    const { database } = await open();
    const before = await everything(database);
    await importContent(database, "server/content");
    expect(await everything(database)).toEqual(before);
  });

  test("replace an entry, its tags and relations", async () => {
    const { database, call } = await open({ contentDir: folder(references) });
    const files = (front: object) => folder({ ...references, "articles/a.md": articleFile(front) });
    await importContent(database, files({ title: "Avant", tags: ["lune", "mars"] }));
    await importContent(database, files({ title: "Après : 10%", tags: ["mars"] }));
    const { body } = await call("GET /content/articles/a");
    expect(body.payload).toMatchObject({ title: "Après\u00A0: 10\u202F%", tags: ["mars"] });
  });
});

/** All content rows; the revision is renewed by each import and left out. */
async function everything(database: Database) {
  const read = async (table: (typeof CONTENT_TABLES)[number]) => {
    const rows = await database.selectFrom(table).selectAll().execute();
    return rows.map((row) => JSON.stringify(row)).sort();
  };
  return Promise.all(CONTENT_TABLES.map(read));
}
