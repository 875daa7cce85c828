import { copyAuthorNames } from "../../platform/content/renamed";
import { indexArticles } from "../../platform/content/search/index-articles";
import { DAY_MS } from "../../platform/ports/durations";
import type { Database } from "../../platform/database/tables";
import { newUid } from "../../platform/ports/ids";
import type { Random } from "./random";
import { insertAll } from "./insert";
import phrases from "./phrases.fr.json";

const BATCH = 1_000;
const PARAGRAPHS = 12;

type Options = { db: Database; random: Random; now: Date };
type References = { authors: string[]; categories: string[]; tags: string[] };

/** Inserts articles by the existing authors, and by one author added for measurements. */
export async function generateArticles({ db, random, now }: Options, count: number) {
  if (count === 0) return;
  const references = await referencesOf(db);
  for (let start = 0; start < count; start += BATCH) {
    const size = Math.min(BATCH, count - start);
    const rows = Array.from({ length: size }, () => articleOf(random, references, now));
    await db.transaction().execute(async (transaction) => {
      await insertAll(transaction, "article", rows);
      const tags = rows.flatMap((row) => tagOf(row, random, references));
      await insertAll(transaction, "article_tag", tags);
      await indexArticles(
        transaction,
        rows.map(({ uid }) => uid),
      );
    });
  }
  await copyAuthorNames(db);
}

async function referencesOf(db: Database): Promise<References> {
  const author = { uid: "mesures", name: "Mesures", sort_name: "mesures", role: null };
  const category = { uid: "mesures", name: "Mesures", description: null, position: 999 };
  await db
    .insertInto("author")
    .values({ ...author, biography: "", position: 999 })
    .onConflict((conflict) => conflict.column("uid").doNothing())
    .execute();
  await db
    .insertInto("category")
    .values(category)
    .onConflict((conflict) => conflict.column("uid").doNothing())
    .execute();
  const uidsOf = async (table: "author" | "category" | "tag") =>
    (await db.selectFrom(table).select("uid").execute()).map(({ uid }) => uid);
  return {
    authors: await uidsOf("author"),
    categories: await uidsOf("category"),
    tags: await uidsOf("tag"),
  };
}

function articleOf(random: Random, { authors, categories }: References, now: Date) {
  const paragraphs = Array.from({ length: PARAGRAPHS }, () => paragraphOf(random));
  return {
    uid: `mesure-${newUid()}`,
    title: random.pick(phrases.titles),
    summary: random.pick(phrases.coach),
    menu: 0,
    reading_minutes: 3,
    date: new Date(now.getTime() - random.below(1_000) * DAY_MS).toISOString(),
    author_uid: random.pick(authors),
    category_uid: random.pick(categories),
    restricted: random.below(2) === 0 ? (0 as const) : (1 as const),
    opening: paragraphs.slice(0, 3).join("\n"),
    remainder: paragraphs.slice(3).join("\n"),
  };
}

function tagOf(article: ReturnType<typeof articleOf>, random: Random, { tags }: References) {
  if (tags.length === 0) return [];
  const { uid: article_uid, date, category_uid, author_uid } = article;
  const tag_uid = random.pick(tags);
  return [{ article_uid, tag_uid, position: 0, date, category_uid, author_uid }];
}

function paragraphOf(random: Random) {
  const sentences = Array.from({ length: 6 }, () => random.pick(phrases.coach));
  return `<p>${sentences.join(" ")}</p>`;
}
