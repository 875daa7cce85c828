import type { ArticleSearch, ArticleSummary } from "../../../../app/contract/content";
import { PAGE_LENGTH } from "../../../../app/contract/limits";
import type { Database } from "../../database/tables";
import { readCursor, writeCursor } from "../../paging/cursor";
import type { Order } from "../../paging/order";
import type { Page, PageRequest } from "../../paging/page";
import { sql } from "kysely";
import { readSummariesOf, type ArticleSelection } from "../articles";
import { isFoundBy, type Term } from "./query";
import { conditionOf, satisfies } from "./tokens";

/**
 * How many of the newest matches are ranked: of those with all words anywhere, in the head, and in the title.
 * Words that more articles have say little, and reading all of them would take long.
 */
const MAX_RANKED = 300;

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
  const rows = await selectMatches(db, terms, selection).execute();
  return summaryOf(terms, { rows: rows.slice(0, MAX_RANKED), isCut: rows.length > MAX_RANKED });
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

async function findCandidates(db: Database, terms: readonly Term[], selection: ArticleSelection) {
  const newest = await selectMatches(db, terms, selection).execute();
  if (newest.length <= MAX_RANKED) return { rows: newest, isCut: false };
  const inHead = await selectMatches(db, terms, selection, "head").execute();
  const inTitle =
    inHead.length <= MAX_RANKED ? [] : await selectMatches(db, terms, selection, "title").execute();
  const all = [newest, inHead, inTitle].flatMap((rows) => rows.slice(0, MAX_RANKED));
  return { rows: [...new Map(all.map((row) => [row.uid, row])).values()], isCut: true };
}

/** One more than are ranked, the newest first. */
function selectMatches(
  db: Database,
  terms: readonly Term[],
  selection: ArticleSelection,
  where?: "title" | "head",
) {
  const matches = db
    .selectFrom("article_token")
    .innerJoin("article_search", "article_search.place", "article_token.rowid")
    .innerJoin("article", "article.uid", "article_search.article_uid")
    .select([
      "article.uid",
      "article.date",
      "article_search.title",
      "article_search.summary",
      "article_search.names",
      "article_search.subjects",
    ])
    .where(satisfies(db, conditionOf(terms, selection, where)))
    .orderBy("article_token.rowid", "desc")
    .limit(MAX_RANKED + 1);
  return selection.ids ? matches.where("article.uid", "in", selection.ids) : matches;
}

type Row = { title: string; summary: string; names: string; subjects: string };

function relevanceOf(row: Row, terms: readonly Term[]): number {
  const places = (["title", "summary", "names", "subjects"] as const).map((name) => ({
    points: POINTS[name],
    stems: row[name].split(" "),
  }));
  const pointsOf = (term: Term) =>
    places.map(({ points, stems }) => {
      if (stems.includes(term.stem)) return points;
      return stems.some((stem) => isFoundBy(term, stem)) ? points / 2 : 0;
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
