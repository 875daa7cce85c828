import { expect, test } from "vitest";
import type { Database } from "../../server/platform/database/tables";
import { readContent } from "../support/content";
import { onEachDatabase } from "../support/platform";

onEachDatabase("the withheld part of articles", (open) => {
  test("reaches no reader without the role vip", async () => {
    const { database } = await open();
    const articles = await restricted(database);
    expect(articles.length).toBeGreaterThan(8);
    const answers = await answersFor(database, articles);
    for (const { uid, sentences } of articles) {
      expect(sentences.length, uid).toBeGreaterThan(5);
      for (const { path, text } of answers) {
        const leaked = sentences.filter((sentence) => text.includes(sentence));
        expect(leaked, `${path} tells ${uid}`).toEqual([]);
      }
    }
  });

  test("is sent after the opening to subscribers", async () => {
    const { database } = await open();
    for (const { uid, sentences } of await restricted(database)) {
      const { text } = await readContent(database, `/content/articles/${uid}`, "subscriber");
      const { payload } = JSON.parse(text);
      expect(payload).toMatchObject({ uid, partial: false, restricted: true });
      expect(sentences.every((sentence) => text.includes(sentence))).toBe(true);
    }
  });

  test("is announced to visitors as a partial article", async () => {
    const { database } = await open();
    const [first] = await restricted(database);
    for (const token of [undefined, "visitor"] as const) {
      const { text } = await readContent(database, `/content/articles/${first?.uid}`, token);
      expect(JSON.parse(text).payload).toMatchObject({ partial: true, restricted: true });
    }
  });

  test("does not exist for articles open to all", async () => {
    const { database } = await open();
    const open_ = await database
      .selectFrom("article")
      .select("uid")
      .where("restricted", "=", 0)
      .execute();
    for (const { uid } of open_) {
      const { text } = await readContent(database, `/content/articles/${uid}`);
      expect(JSON.parse(text).payload).toMatchObject({ partial: false, restricted: false });
    }
  });
});

async function restricted(database: Database) {
  const rows = await database
    .selectFrom("article")
    .select(["uid", "remainder"])
    .where("restricted", "=", 1)
    .execute();
  return rows.map(({ uid, remainder }) => ({ uid, sentences: sentencesOf(remainder) }));
}

/** Runs of text long enough to be found nowhere else, as they stand inside JSON. */
function sentencesOf(html: string) {
  return html
    .split(/<[^<>]+>/)
    .map((text) => JSON.stringify(text.trim()).slice(1, -1))
    .filter((text) => text.length > 40);
}

async function answersFor(database: Database, articles: readonly { uid: string }[]) {
  const paths = [
    "/content/articles?length=100",
    "/content/articles?length=100&sort[author]=asc",
    "/content/pages?length=100",
    "/content/medias?length=100",
    ...articles.flatMap(({ uid }) => [
      `/content/articles/${uid}`,
      `/content/articles/related/${uid}`,
      `/content/articles?ids=${uid}`,
    ]),
  ];
  const read = async (path: string) => {
    const answers = [
      await readContent(database, path),
      await readContent(database, path, "visitor"),
    ];
    return answers.map(({ status, text }) => {
      expect(status, path).toBe(200);
      return { path, text };
    });
  };
  return (await Promise.all(paths.map(read))).flat();
}
