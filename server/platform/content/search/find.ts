import { sql, type ExpressionBuilder, type SelectQueryBuilder, type SqlBool } from "kysely";
import type { ArticleSearch, ArticleSummary } from "../../../../app/contract/content";
import { PAGE_LENGTH } from "../../../../app/contract/limits";
import type { Database, Tables } from "../../database/tables";
import { decodeCursor, encodeCursor } from "../../paging/cursor";
import type { Direction, Order } from "../../paging/order";
import { readPage, type Page, type PageRequest } from "../../paging/page";
import { readSummaries, readSummariesOf, selectArticles, type ArticleSelection } from "../articles";
import type { Term } from "./query";
import { isPostgres } from "../../database/dialect";
import { filterTokens, satisfies, tokenOf, type Condition } from "./tokens";

/**
 * How many of the newest matches are ranked: of those with all words anywhere, in the head, and in the title.
 * Words that more articles have say little, and reading all of them would take long.
 */
const MAX_RANKED = 200;
/** Up to this many matches are collected and sorted. With more, the list is read in its order and each row checked. */
const RARE = 5_000;
/** Words that one beginning leads to, the shortest first. */
const MAX_WORDS = 40;
/** Articles among which PostgreSQL looks for a common word: each costs two microseconds. */
const WINDOW = 4_000;
/** Sorts after every other character. */
const LAST = "\u{10ffff}";

/** Points of a word, by the best place in which it stands. Its beginning counts half. */
const POINTS = { title: 16, summary: 8, names: 6, subjects: 4, text: 1 } as const;

const RELEVANCE: Order = [
  { name: "relevance", value: sql.ref<number>("relevance"), direction: "desc" },
  { name: "date", value: sql.ref<string>("date"), direction: "desc" },
  { name: "uid", value: sql.ref<string>("uid"), direction: "desc" },
];
const LIST = "found articles";

export type Found = Page<ArticleSummary> & { search: ArticleSearch };

/** Where all words must stand: anywhere, in all but the text, or in the title. */
type Where = "anywhere" | "head" | "title";

/** Some rows with a place, of which only that is used. */
type Places = SelectQueryBuilder<Tables, "article_token", { place: number }>;

/** A search whose words are looked up: the condition on the index for each place; null where no article has it. */
export type Search = {
  terms: readonly Term[];
  selection: ArticleSelection;
  conditions: Record<Where, Condition | null>;
};

/** Looks up which tokens of the index each term means. */
export async function planSearch(
  db: Database,
  terms: readonly Term[],
  selection: ArticleSelection,
): Promise<Search> {
  const filters = filterTokens(selection);
  const conditionIn = async (where: Where): Promise<Condition | null> => {
    const groups: string[][] = [];
    for (const term of terms) {
      const tokens = await findTokens(db, term, where);
      if (tokens.length === 0) return null;
      groups.push(tokens);
    }
    return [...groups, ...filters];
  };
  const anywhere = await conditionIn("anywhere");
  const head = anywhere && (await conditionIn("head"));
  const title = head && (await conditionIn("title"));
  return { terms, selection, conditions: { anywhere, head, title } };
}

async function findTokens(db: Database, { stem, prefix }: Term, where: Where): Promise<string[]> {
  const written = (word: string) => (where === "anywhere" ? word : tokenOf(where, word));
  const known = db.selectFrom("article_word").select("token");
  const exact = await known.where("token", "=", written(stem)).execute();
  if (prefix === null) return exact.map(({ token }) => token);
  const longer = await known
    .where("token", ">=", written(prefix))
    .where("token", "<", `${written(prefix)}${LAST}`)
    // "title" and "head" are words, too, and marks begin with them.
    .$if(where === "anywhere", (query) => query.where("token", "not like", "%:%"))
    .orderBy(sql`length(token)`)
    .orderBy("token")
    .limit(MAX_WORDS)
    .execute();
  return [...new Set([...exact, ...longer].map(({ token }) => token))];
}

/** The most relevant articles first, and on a tie the newest. */
export async function findByRelevance(
  db: Database,
  search: Search,
  { after, length = PAGE_LENGTH }: PageRequest,
): Promise<Found> {
  const position = after === undefined ? null : decodeCursor(LIST, RELEVANCE, after);
  const { rows, isCut } = await findCandidates(db, search);
  const ranked = rows
    .map((row) => [relevanceOf(row, search.terms), row.date, row.uid] as const)
    .sort((a, b) => compare(b, a));
  const rest = position ? ranked.filter((place) => compare(place, position) < 0) : ranked;
  const shown = rest.slice(0, length);
  const last = shown.at(-1);
  const hasNextPage = rest.length > length && last !== undefined;
  const uids = shown.map(([, , uid]) => uid);
  return {
    rows: await readSummariesOf(db, uids),
    page: { hasNextPage, endCursor: hasNextPage ? encodeCursor(LIST, RELEVANCE, last) : null },
    search: summaryOf(search, isCut ? MAX_RANKED + 1 : rows.length),
  };
}

/** The articles found by date, read from the index of words, which stands in this order. */
export async function findByDate(
  db: Database,
  search: Search,
  direction: Direction,
  request: PageRequest,
): Promise<Found> {
  const { length: count } = await findPlaces(db, search);
  const order: Order = [{ name: "place", value: sql.ref<number>("found.place"), direction }];
  const all = selectPlaces(db, search);
  const isRare = isPostgres(db) && count <= MAX_RANKED;
  const found = db.selectFrom((isRare ? byIndex(all) : all).as("found")).select("found.place");
  const { rows, page } = await readPage(found, { name: LIST, order }, request);
  const uids = await readUidsAt(db, rows);
  return {
    rows: await readSummariesOf(db, uids),
    page,
    search: summaryOf(search, count),
  };
}

/** The articles found in any other order. */
export async function findInOrder(
  db: Database,
  search: Search,
  order: Order,
  request: PageRequest,
): Promise<Found> {
  const count = await countUpTo(db, search, RARE + 1);
  const uids = db
    .selectFrom("article_search")
    .select("article_uid")
    .where("place", "in", selectPlaces(db, search));
  const articles = selectArticles(db, search.selection);
  const matches =
    count > RARE
      ? articles.where(isFound(db, search), "is not", null)
      : articles.where("article.uid", "in", uids);
  const { rows, page } = await readPage(matches, { name: LIST, order }, request);
  return { rows: await readSummaries(db, rows), page, search: summaryOf(search, count) };
}

/** Starts from the article: a cross join keeps SQLite from starting with all articles that have the words. */
const isFound = (db: Database, search: Search) => (e: ExpressionBuilder<Tables, "article">) =>
  e
    .selectFrom("article_search")
    .crossJoin("article_token")
    .select("article_token.rowid")
    .whereRef("article_search.article_uid", "=", "article.uid")
    .whereRef("article_token.rowid", "=", "article_search.place")
    .where(matches(db, search.conditions.anywhere))
    .limit(1);

/** A word that no article has leaves nothing to ask the index for. */
const matches = (db: Database, condition: Condition | null) =>
  condition ? satisfies(db, condition) : sql<SqlBool>`1 = 0`;

const summaryOf = ({ terms }: Search, count: number): ArticleSearch => ({
  words: terms.map(({ word }) => word),
  count: Math.min(count, MAX_RANKED),
  isMinimum: count > MAX_RANKED,
});

/** The articles that are ranked, with what they are ranked by. */
async function findCandidates(db: Database, search: Search) {
  const newest = await findPlaces(db, search);
  const isCut = newest.length > MAX_RANKED;
  const inHead = isCut ? await findPlaces(db, search, "head") : [];
  const inTitle = inHead.length > MAX_RANKED ? await findPlaces(db, search, "title") : [];
  const places = [newest, inHead, inTitle].flatMap((found) => found.slice(0, MAX_RANKED));
  if (places.length === 0) return { rows: [], isCut };
  const rows = await db
    .selectFrom("article_search")
    .select(["article_uid as uid", "date", "title", "summary", "names", "subjects"])
    .where("place", "in", [...new Set(places)])
    .execute();
  return { rows, isCut };
}

/** Places of the newest matches, one more than are ranked. */
async function findPlaces(
  db: Database,
  search: Search,
  where: Where = "anywhere",
): Promise<number[]> {
  if (!search.conditions[where]) return [];
  const all = selectPlaces(db, search, where);
  if (!isPostgres(db)) return readNewest(db, all);
  const newest = await readNewest(db, selectPlacesInWindow(db, search, where));
  return newest.length > MAX_RANKED ? newest : readNewest(db, byIndex(all));
}

async function readNewest(db: Database, places: Places): Promise<number[]> {
  const rows = await db
    .selectFrom(places.as("found"))
    .select("found.place")
    .orderBy("found.place", "desc")
    .limit(MAX_RANKED + 1)
    .execute();
  return rows.map(({ place }) => place);
}

function selectPlaces(
  db: Database,
  { conditions, selection: { ids } }: Search,
  where: Where = "anywhere",
) {
  const found = db
    .selectFrom("article_token")
    .select("article_token.rowid as place")
    .where(matches(db, conditions[where]));
  if (!ids) return found;
  const named = db.selectFrom("article_search").select("place").where("article_uid", "in", ids);
  return found.where("article_token.rowid", "in", named);
}

/**
 * PostgreSQL's planner cannot tell how many articles have one of some rare words. It would read all articles by
 * date for them. So a common word is looked for among the newest articles alone …
 */
function selectPlacesInWindow(
  db: Database,
  { conditions, selection: { ids } }: Search,
  where: Where,
): Places {
  const newest = db
    .selectFrom("article_token")
    .selectAll()
    .orderBy("rowid", "desc")
    .limit(ids ? 0 : WINDOW);
  return db
    .selectFrom(newest.as("article_token"))
    .select("article_token.rowid as place")
    .where(matches(db, conditions[where]));
}

/** … and any other by the index of words: "offset" keeps the order out of the inner query. */
const byIndex = (places: Places): Places => places.offset(0);

async function countUpTo(db: Database, search: Search, max: number): Promise<number> {
  const { count } = await db
    .selectFrom(selectPlaces(db, search).limit(max).as("some"))
    .select((e) => e.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return count;
}

async function readUidsAt(db: Database, places: readonly { place: number }[]) {
  if (places.length === 0) return [];
  const wanted = places.map(({ place }) => place);
  const rows = await db
    .selectFrom("article_search")
    .select(["place", "article_uid"])
    .where("place", "in", wanted)
    .execute();
  const uids = new Map(rows.map(({ place, article_uid }) => [place, article_uid]));
  return wanted.flatMap((place) => uids.get(place) ?? []);
}

type Row = { title: string; summary: string; names: string; subjects: string };

function relevanceOf(row: Row, terms: readonly Term[]): number {
  const places = (["title", "summary", "names", "subjects"] as const).map((name) => ({
    points: POINTS[name],
    stems: ` ${row[name]} `,
  }));
  const pointsOf = ({ stem, prefix }: Term) =>
    places.map(({ points, stems }) => {
      if (stems.includes(` ${stem} `)) return points;
      return prefix !== null && stems.includes(` ${prefix}`) ? points / 2 : 0;
    });
  return terms.reduce((sum, term) => sum + Math.max(POINTS.text, ...pointsOf(term)), 0);
}

type Place = readonly (string | number)[];

/** Numbers by their value, texts by their bytes, as the databases compare dates and uids. */
function compare(a: Place, b: Place): number {
  for (const [index, value] of a.entries()) {
    const other = b[index] ?? "";
    if (value !== other) return value < other ? -1 : 1;
  }
  return 0;
}
