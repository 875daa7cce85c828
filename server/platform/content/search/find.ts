import type { ArticleSearch, ArticleSummary } from "../../../../app/contract/content";
import { PAGE_LENGTH } from "../../../../app/contract/limits";
import type { Database } from "../../database/tables";
import { readCursor, writeCursor } from "../../paging/cursor";
import type { Order } from "../../paging/order";
import type { Page, PageRequest } from "../../paging/page";
import { sql } from "kysely";
import { readSummariesOf, type ArticleSelection } from "../articles";
import type { Term } from "./query";
import { conditionOf, satisfies } from "./tokens";

/**
 * How many of the newest matches are ranked: of those with all words anywhere, in the head, and in the title.
 * Words that more articles have say little, and reading all of them would take long.
 */
const MAX_RANKED = 200;

/** Points of a word, by the best place in which it stands. Its beginning counts half. */
const POINTS = { title: 16, summary: 8, names: 6, subjects: 4, text: 1 } as const;

const RELEVANCE: Order = [
  { name: "relevance", value: sql.ref<number>("relevance"), direction: "desc" },
  { name: "date", value: sql.ref<string>("date"), direction: "desc" },
  { name: "uid", value: sql.ref<string>("uid"), direction: "desc" },
];
const LIST = "found articles";

export type Found = Page<ArticleSummary> & { search: ArticleSearch };

/** Finds the articles with all terms, the most relevant first, and on a tie the newest. */
export async function searchArticles(
  db: Database,
  terms: readonly Term[],
  selection: ArticleSelection,
  { after, length = PAGE_LENGTH }: PageRequest,
): Promise<Found> {
  const position = after === undefined ? null : readCursor(LIST, RELEVANCE, after);
  const candidates = await findCandidates(db, terms, selection);
  const ranked = candidates.rows
    .map((row) => [relevanceOf(row, terms), row.date, row.uid] as const)
    .sort((a, b) => compare(b, a));
  const rest = position ? ranked.filter((place) => compare(place, position) < 0) : ranked;
  const shown = rest.slice(0, length);
  const last = shown.at(-1);
  const hasNextPage = rest.length > length && last !== undefined;
  return {
    rows: await readSummariesOf(
      db,
      shown.map(([, , uid]) => uid),
    ),
    page: { hasNextPage, endCursor: hasNextPage ? writeCursor(LIST, RELEVANCE, last) : null },
    search: summaryOf(terms, candidates),
  };
}

/** What was searched, and how many articles have it: for lists in another order than that of relevance. */
export async function countFound(
  db: Database,
  terms: readonly Term[],
  selection: ArticleSelection,
): Promise<ArticleSearch> {
  const places = await findPlaces(db, terms, selection);
  const isCut = places.length > MAX_RANKED;
  return summaryOf(terms, { rows: places.slice(0, MAX_RANKED), isCut });
}

/** Uids of all articles with all terms that a filter lets through. */
export const selectFoundUids = (
  db: Database,
  terms: readonly Term[],
  selection: ArticleSelection,
) =>
  db
    .selectFrom("article_token")
    .innerJoin("article_search", "article_search.place", "article_token.rowid")
    .select("article_search.article_uid")
    .where(satisfies(db, conditionOf(terms, selection)));

type Candidates<Row> = { rows: Row[]; isCut: boolean };

const summaryOf = (
  terms: readonly Term[],
  { rows, isCut }: Candidates<unknown>,
): ArticleSearch => ({
  words: terms.map(({ word }) => word),
  count: rows.length,
  isMinimum: isCut,
});

/** The articles that are ranked, with what they are ranked by. */
async function findCandidates(db: Database, terms: readonly Term[], selection: ArticleSelection) {
  const newest = await findPlaces(db, terms, selection);
  const isCut = newest.length > MAX_RANKED;
  const inHead = isCut ? await findPlaces(db, terms, selection, "head") : [];
  const inTitle = inHead.length > MAX_RANKED ? await findPlaces(db, terms, selection, "title") : [];
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
  terms: readonly Term[],
  selection: ArticleSelection,
  where?: "title" | "head",
): Promise<number[]> {
  const { ids } = selection;
  const matches = db
    .selectFrom("article_token")
    .select("article_token.rowid as place")
    .where(satisfies(db, conditionOf(terms, selection, where)))
    .orderBy("article_token.rowid", "desc")
    .limit(MAX_RANKED + 1);
  const named = db
    .selectFrom("article_search")
    .select("place")
    .where("article_uid", "in", ids ?? []);
  const found = await (ids ? matches.where("article_token.rowid", "in", named) : matches).execute();
  return found.map(({ place }) => place);
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
