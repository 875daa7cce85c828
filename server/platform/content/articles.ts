import { sql, type ExpressionBuilder, type Selectable } from "kysely";
import type { ArticleSummary, ArticleTotal } from "../../../app/contract/content";
import type { Database, Tables } from "../database/tables";
import type { Order } from "../paging/order";
import { readPage, type Page, type PageRequest } from "../paging/page";
import { isInIndex, readUids } from "./by-filter";

/** Columns that every visitor may see. The remainder is selected only for subscribers. */
export const SUMMARY_COLUMNS = [
  "article.uid",
  "article.title",
  "article.summary",
  "article.date",
  "article.author_uid",
  "article.category_uid",
  "article.restricted",
  "article.reading_minutes",
] as const;

type ArticleRow = Selectable<Tables["article"]>;
type SummaryRow = Omit<ArticleRow, "opening" | "remainder" | "menu" | "author_sort_name">;

export type ArticleSelection = {
  ids?: readonly string[] | undefined;
  authors: readonly string[];
  categories: readonly string[];
  tags: readonly string[];
};

/** Finds articles that match one value of each given filter. */
export async function findArticles(
  db: Database,
  selection: ArticleSelection,
  order: Order,
  request: PageRequest,
): Promise<Page<ArticleSummary>> {
  const list = { name: "articles", order };
  if (!selection.ids && isInIndex(selection, order)) {
    const { rows, page } = await readUids(db, selection, list, request);
    return {
      rows: await readSummariesOf(
        db,
        rows.map(({ uid }) => uid),
      ),
      page,
    };
  }
  const start = selection.ids ? null : await findFew(db, selection);
  const { rows, page } = await readPage(selectArticles(db, selection, start), list, request);
  return { rows: await readSummaries(db, rows), page };
}

/**
 * Counts the articles of a filtered list, up to `FEW`. Undefined for the list of all, for given ids, for a filter of
 * many values, and where each of several filters matches many: that would take longer with each article.
 */
export async function countArticles(
  db: Database,
  selection: ArticleSelection,
): Promise<ArticleTotal | undefined> {
  const [name, ...others] = filtersOf(selection);
  if (selection.ids || !name || selection[name].length > COUNTED_VALUES) return undefined;
  const start = others.length > 0 ? await findFew(db, selection) : null;
  if (others.length > 0 && !start) return undefined;
  const found = start
    ? db.selectFrom(selectArticles(db, selection, start).as("found")).select("found.uid")
    : db.selectFrom(matching(db, name, selection[name]).as("found")).select("found.uid");
  // An article with several of the tags is there as often. Of more rows than this, more than `FEW` differ.
  const rows = FEW * selection[name].length + 1;
  const { count } = await db
    .selectFrom(found.limit(rows).as("counted"))
    .select((e) => e.fn.count<number>("counted.uid").distinct().as("count"))
    .executeTakeFirstOrThrow();
  return { count: Math.min(count, FEW), isMinimum: count > FEW };
}

/** Of a filter with more values the articles are not counted. */
const COUNTED_VALUES = 5;

/** Up to this many articles are found by their filter and then sorted. Among more, reading in order soon meets some. */
export const FEW = 1_000;

type FilterName = "tags" | "categories" | "authors";

/** The filter that few articles match, or none: its values may be made up. Null where all match many. */
async function findFew(db: Database, selection: ArticleSelection): Promise<FilterName | null> {
  for (const name of filtersOf(selection)) {
    const matches = await matching(db, name, selection[name])
      .limit(FEW + 1)
      .execute();
    if (matches.length <= FEW) return name;
  }
  return null;
}

const filtersOf = (selection: ArticleSelection): FilterName[] =>
  (["tags", "categories", "authors"] as const).filter((name) => selection[name].length > 0);

/** The articles of one filter, each once. */
function matching(db: Database, name: FilterName, values: readonly string[]) {
  const column = name === "categories" ? "category_uid" : "author_uid";
  const found =
    name === "tags"
      ? db.selectFrom("article_tag").select("article_uid as uid").where("tag_uid", "in", values)
      : db.selectFrom("article").select("article.uid").where(column, "in", values);
  return db.selectFrom(found.as("matching")).select("matching.uid");
}

/**
 * All articles of a selection, for lists in any order: those of the filter `start`, or else the index of the order
 * is read until a page is full.
 */
export function selectArticles(
  db: Database,
  { ids, ...filters }: ArticleSelection,
  start: FilterName | null = null,
) {
  const others = (name: FilterName) => (name === start ? [] : filters[name]);
  const [authors, categories, tags] = [others("authors"), others("categories"), others("tags")];
  let query = db.selectFrom("article").select(SUMMARY_COLUMNS);
  if (ids) query = query.where("article.uid", "in", ids);
  if (start) query = query.where("article.uid", "in", matching(db, start, filters[start]));
  if (authors.length) query = query.where(onTheWay("article.author_uid"), "in", authors);
  if (categories.length) query = query.where(onTheWay("article.category_uid"), "in", categories);
  if (tags.length) query = query.where(hasTag(tags), "is not", null);
  return query;
}

/** Hides the column's own index from the planner, which would read all of its articles and sort them. */
const onTheWay = (column: string) => sql<string>`coalesce(${sql.ref(column)}, '')`;

/**
 * Compares a value instead of using `in`, so that the planner does not start from the tags, and looks for the
 * article's few tags among the given ones, however many these are.
 */
const hasTag = (tags: readonly string[]) => (e: ExpressionBuilder<Tables, "article">) =>
  e
    .selectFrom("article_tag")
    .select("tag_uid")
    .whereRef("article_uid", "=", "article.uid")
    .where(onTheWay("article_tag.tag_uid"), "in", tags)
    .limit(1);

/** Reads the summaries of some articles, in their order. */
export async function readSummariesOf(db: Database, uids: readonly string[]) {
  if (uids.length === 0) return [];
  const rows = await db
    .selectFrom("article")
    .select(SUMMARY_COLUMNS)
    .where("article.uid", "in", uids)
    .execute();
  return readSummaries(
    db,
    uids.flatMap((uid) => rows.find((row) => row.uid === uid) ?? []),
  );
}

export type FoundArticle = ArticleSummary & { opening: string; remainder: string | null };

/** Finds one article. The restricted remainder is read from the database only with `whole`. */
export async function findArticle(
  db: Database,
  uid: string,
  { whole }: { whole: boolean },
): Promise<FoundArticle | null> {
  const row = await db
    .selectFrom("article")
    .select([...SUMMARY_COLUMNS, "article.opening"])
    .$if(whole, (query) => query.select("article.remainder"))
    .where("article.uid", "=", uid)
    .executeTakeFirst();
  if (!row) return null;
  const [summary] = await readSummaries(db, [row]);
  return summary ? { ...summary, opening: row.opening, remainder: row.remainder ?? null } : null;
}

/** Turns rows into summaries with their tags, in the order the author chose. */
export async function readSummaries(
  db: Database,
  rows: readonly SummaryRow[],
): Promise<ArticleSummary[]> {
  if (rows.length === 0) return [];
  const links = await db
    .selectFrom("article_tag")
    .select(["article_uid", "tag_uid"])
    .where(
      "article_uid",
      "in",
      rows.map((row) => row.uid),
    )
    .orderBy("position")
    .execute();
  return rows.map((row) => ({
    uid: row.uid,
    title: row.title,
    summary: row.summary,
    date: row.date,
    author: row.author_uid,
    category: row.category_uid,
    tags: links.filter((link) => link.article_uid === row.uid).map((link) => link.tag_uid),
    readingMinutes: row.reading_minutes,
    restricted: row.restricted === 1,
  }));
}
