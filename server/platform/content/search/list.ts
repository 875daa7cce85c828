import type { Database } from "../../database/tables";
import type { Order } from "../../paging/order";
import { readPage, type PageRequest } from "../../paging/page";
import { readSummaries, selectArticles, type ArticleSelection } from "../articles";
import { readExcerpts } from "./excerpt";
import { countFound, searchArticles, selectFoundUids, type Found } from "./find";
import type { Term } from "./query";

type Search = {
  terms: readonly Term[];
  selection: ArticleSelection;
  /** Null: the most relevant first. */
  order: Order | null;
  /** Whether the reader may read the withheld parts. */
  whole: boolean;
};

/** One page of the articles that a search finds, with excerpts. */
export async function listFound(
  db: Database,
  { terms, selection, order, whole }: Search,
  request: PageRequest,
): Promise<Found> {
  const found = order
    ? await listInOrder(db, { terms, selection, order }, request)
    : await searchArticles(db, terms, selection, request);
  const uids = found.rows.map(({ uid }) => uid);
  const excerpts = await readExcerpts(db, uids, terms, { whole });
  const rows = found.rows.map((row) => {
    const excerpt = excerpts.get(row.uid);
    return excerpt ? { ...row, excerpt } : row;
  });
  return { ...found, rows };
}

async function listInOrder(
  db: Database,
  {
    terms,
    selection,
    order,
  }: { terms: readonly Term[]; selection: ArticleSelection; order: Order },
  request: PageRequest,
): Promise<Found> {
  const matches = selectArticles(db, selection).where(
    "article.uid",
    "in",
    selectFoundUids(db, terms, selection),
  );
  const { rows, page } = await readPage(matches, { name: "articles", order }, request);
  const search = await countFound(db, terms, selection);
  return { rows: await readSummaries(db, rows), page, search };
}
