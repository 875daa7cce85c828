import { DAY_MS } from "../../platform/ports/durations";
import type { Database } from "../../platform/database/tables";
import { newUid } from "../../platform/ports/ids";
import type { Chance } from "./chance";
import { insertAll } from "./insert";
import phrases from "./phrases.fr.json";

const BATCH = 1_000;
const PARAGRAPHS = 12;

type Options = { db: Database; chance: Chance; now: Date };
type References = { authors: string[]; categories: string[]; tags: string[] };

/** Articles by the authors there are, or by one made for them. */
export async function generateArticles({ db, chance, now }: Options, count: number) {
  if (count === 0) return;
  const references = await referencesOf(db);
  for (let start = 0; start < count; start += BATCH) {
    const size = Math.min(BATCH, count - start);
    const rows = Array.from({ length: size }, () => articleOf(chance, references, now));
    await db.transaction().execute(async (transaction) => {
      await insertAll(transaction, "article", rows);
      const tags = rows.flatMap(({ uid }) => tagOf(uid, chance, references));
      await insertAll(transaction, "article_tag", tags);
    });
  }
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

function articleOf(chance: Chance, { authors, categories }: References, now: Date) {
  const paragraphs = Array.from({ length: PARAGRAPHS }, () => paragraphOf(chance));
  return {
    uid: `mesure-${newUid()}`,
    title: chance.of(phrases.titles),
    summary: chance.of(phrases.coach),
    menu: 0,
    reading_minutes: 3,
    date: new Date(now.getTime() - chance.below(1_000) * DAY_MS).toISOString(),
    author_uid: chance.of(authors),
    category_uid: chance.of(categories),
    restricted: chance.below(2) === 0 ? (0 as const) : (1 as const),
    opening: paragraphs.slice(0, 3).join("\n"),
    remainder: paragraphs.slice(3).join("\n"),
  };
}

function tagOf(article_uid: string, chance: Chance, { tags }: References) {
  return tags.length > 0 ? [{ article_uid, tag_uid: chance.of(tags), position: 0 }] : [];
}

function paragraphOf(chance: Chance) {
  const sentences = Array.from({ length: 6 }, () => chance.of(phrases.coach));
  return `<p>${sentences.join(" ")}</p>`;
}
