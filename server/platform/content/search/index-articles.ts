import { sql } from "kysely";
import type { Database, Tables } from "../../database/tables";
import { MINUTE_MS } from "../../ports/durations";
import { batches } from "../upsert";
import { blocksOf } from "./plain-text";
import { stemsIn } from "./stems";
import { isPostgres } from "../../database/dialect";
import { tokenOf } from "./tokens";

/** Increased with each change of what is stored, so that the next start indexes all articles anew. */
const VERSION = "1";
const SETTING = "article_index";

/** A word of the text in a heading, or as often as this, is a subject of the article. */
const SUBJECT_TIMES = 3;
/** Different words of one article. The longest articles have half as many. */
const MAX_STEMS = 5_000;
/** So many new articles are counted at once. PostgreSQL counts fewer by itself, a minute later. */
const MANY = 1_000;
/** Articles of one minute, or of one day without a time, that have places of their own. */
const PLACES = 2 ** 12;

/** Indexes all articles where an earlier release left another index, or none. */
export async function prepareIndex(db: Database) {
  const row = await db
    .selectFrom("setting")
    .select("value")
    .where("name", "=", SETTING)
    .executeTakeFirst();
  if (row?.value === VERSION) return;
  await db.deleteFrom("article_token").execute();
  await db.deleteFrom("article_search").execute();
  await db.deleteFrom("article_word").execute();
  const articles = await db.selectFrom("article").select("uid").orderBy("uid").execute();
  await indexArticles(
    db,
    articles.map(({ uid }) => uid),
  );
  await db
    .insertInto("setting")
    .values({ name: SETTING, value: VERSION })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value: VERSION }))
    .execute();
}

/** Lets the next start index all articles anew, as in a database that was restored. */
export async function markUnindexed(db: Database) {
  await db.deleteFrom("setting").where("name", "=", SETTING).execute();
}

type Text = Pick<Tables["article"], "uid" | "opening" | "remainder">;

/** The stems of texts by the uids of their articles. Reading a text takes longer than all the rest. */
export type ReadTexts = ReadonlyMap<string, ReturnType<typeof readText>>;

/** Reads texts before the transaction that stores them, so that nobody waits for it. */
export const readTexts = (articles: readonly Text[]): ReadTexts =>
  new Map(articles.map((article) => [article.uid, readText(wholeText(article))]));

const wholeText = ({ opening, remainder }: Text) => opening + remainder;

/** Indexes articles as they stand now, in the transaction that writes them. */
export async function indexArticles(
  db: Database,
  uids: readonly string[],
  texts: ReadTexts = new Map(),
) {
  for (const batch of batches([...new Set(uids)])) {
    await forgetArticles(db, batch);
    await indexBatch(db, batch, texts);
  }
  await tidyIndex(db, uids.length);
}

/**
 * PostgreSQL lists new rows and sorts them into the index later; until then each search reads the list. It reads
 * a common word by date and a rare one by the index, and must know which is which.
 */
export async function tidyIndex(db: Database, count: number) {
  if (!isPostgres(db) || count === 0) return;
  await sql`select gin_clean_pending_list('article_token_by_token')`.execute(db);
  if (count >= MANY) await sql`analyze article_token`.execute(db);
}

export async function forgetArticles(db: Database, uids: readonly string[]) {
  const places = db.selectFrom("article_search").select("place").where("article_uid", "in", uids);
  await db.deleteFrom("article_token").where("rowid", "in", places).execute();
  await db.deleteFrom("article_search").where("article_uid", "in", uids).execute();
}

async function indexBatch(db: Database, uids: readonly string[], texts: ReadTexts) {
  const articles = await db
    .selectFrom("article")
    .innerJoin("author", "author.uid", "article.author_uid")
    .innerJoin("category", "category.uid", "article.category_uid")
    .select([
      "article.uid",
      "article.title",
      "article.summary",
      "article.date",
      "article.author_uid",
      "article.category_uid",
      "article.opening",
      "article.remainder",
      "author.name as author",
      "category.name as category",
    ])
    .where("article.uid", "in", uids)
    .orderBy("article.uid")
    .execute();
  if (articles.length === 0) return;
  const tags = await db
    .selectFrom("article_tag")
    .innerJoin("tag", "tag.uid", "article_tag.tag_uid")
    .select(["article_tag.article_uid", "tag.uid", "tag.name"])
    .where("article_tag.article_uid", "in", uids)
    .execute();
  const tagsOf = new Map(uids.map((uid): [string, typeof tags] => [uid, []]));
  for (const tag of tags) tagsOf.get(tag.article_uid)?.push(tag);
  const places = await choosePlaces(db, articles);
  const entries = articles.map((article) =>
    entryOf(article, {
      text: texts.get(article.uid) ?? readText(wholeText(article)),
      tags: tagsOf.get(article.uid) ?? [],
      place: places.get(article.uid) ?? 0,
    }),
  );
  await db
    .insertInto("article_search")
    .values(entries.map(({ search }) => search))
    .execute();
  const values = entries.map(({ search, tokens }) => {
    const text = tokens.join(" ");
    const stored = isPostgres(db) ? sql`array_to_tsvector(string_to_array(${text}, ' '))` : text;
    return sql`(${search.place}, ${stored})`;
  });
  await sql`insert into article_token (rowid, tokens) values ${sql.join(values)}`.execute(db);
  await addWords(db, new Set(entries.flatMap(({ tokens }) => tokens)));
}

/** Notes which tokens there are. One that no article has any more does no harm. */
async function addWords(db: Database, tokens: ReadonlySet<string>) {
  for (const batch of batches([...tokens].sort())) {
    await db
      .insertInto("article_word")
      .values(batch.map((token) => ({ token })))
      .onConflict((conflict) => conflict.column("token").doNothing())
      .execute();
  }
}

type Indexed = Pick<
  Tables["article"],
  "uid" | "title" | "summary" | "date" | "author_uid" | "category_uid" | "opening" | "remainder"
> & { author: string; category: string };

type Around = {
  text: ReturnType<typeof readText>;
  tags: readonly { uid: string; name: string }[];
  place: number;
};

function entryOf(article: Indexed, { text, tags, place }: Around) {
  const title = stemsOf(article.title);
  const summary = stemsOf(article.summary);
  const names = stemsOf(article.author, article.category, ...tags.map(({ name }) => name));
  const { stems, subjects } = text;
  const head = new Set([...title, ...summary, ...names, ...subjects]);
  const all = [...new Set([...head, ...stems])].slice(0, MAX_STEMS);
  const tokens = [
    ...all,
    ...[...head].map((stem) => tokenOf("head", stem)),
    ...[...title].map((stem) => tokenOf("title", stem)),
    tokenOf("author", article.author_uid),
    tokenOf("category", article.category_uid),
    ...tags.map(({ uid }) => tokenOf("tag", uid)),
  ];
  const search = {
    place,
    article_uid: article.uid,
    date: article.date,
    title: [...title].join(" "),
    summary: [...summary].join(" "),
    names: [...names].join(" "),
    subjects: [...subjects].join(" "),
  };
  return { search, tokens };
}

const stemsOf = (...texts: string[]) => new Set(texts.flatMap(stemsIn));

/** The stems of a text, and those of its subjects. */
function readText(html: string) {
  const times = new Map<string, number>();
  for (const { text, isHeading } of blocksOf(html)) {
    for (const stem of stemsIn(text)) {
      times.set(stem, (times.get(stem) ?? 0) + (isHeading ? SUBJECT_TIMES : 1));
    }
  }
  const subjects = [...times].flatMap(([stem, count]) => (count >= SUBJECT_TIMES ? stem : []));
  return { stems: [...times.keys()], subjects };
}

/**
 * A number of its own for each article, higher the newer it is, so that either database reads the newest
 * matches first, and stops. Articles of one minute stand in the order of a hash. Where all its places are
 * taken, some stand among those of the next minutes.
 */
async function choosePlaces(db: Database, articles: readonly { uid: string; date: string }[]) {
  const places = new Map<string, number>();
  const taken = new Set<number>();
  let left = articles;
  for (let attempt = 0; left.length > 0; attempt++) {
    const wanted = left.map((article) => ({ article, place: placeOf(article, attempt) }));
    const rows = await db
      .selectFrom("article_search")
      .select("place")
      .where(
        "place",
        "in",
        wanted.map(({ place }) => place),
      )
      .execute();
    for (const { place } of rows) taken.add(place);
    left = wanted.flatMap(({ article, place }) => {
      if (taken.has(place)) return article;
      taken.add(place);
      places.set(article.uid, place);
      return [];
    });
  }
  return places;
}

function placeOf({ uid, date }: { uid: string; date: string }, attempt: number) {
  const minute = Math.floor(Date.parse(date) / MINUTE_MS);
  return minute * PLACES + (hash(`${uid} ${attempt}`) % (PLACES * 2 ** Math.min(attempt, 20)));
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const character of text) {
    value = Math.imul(value ^ (character.codePointAt(0) ?? 0), 0x01000193);
  }
  return (value ^ (value >>> 15)) >>> 0;
}
