import type { Database } from "../../database/tables";
import type { Order } from "../../paging/order";
import type { PageRequest } from "../../paging/page";
import type { ArticleSelection } from "../articles";
import { readExcerpts } from "./excerpt";
import {
  findByDate,
  findByRelevance,
  findInOrder,
  planSearch,
  type Found,
  type Search,
} from "./find";
import type { Term } from "./query";

type Options = {
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
  { terms, selection, order, whole }: Options,
  request: PageRequest,
): Promise<Found> {
  const search = await planSearch(db, terms, selection);
  const found = await find(db, search, order, request);
  const uids = found.rows.map(({ uid }) => uid);
  const excerpts = await readExcerpts(db, uids, terms, { whole });
  const rows = found.rows.map((row) => {
    const excerpt = excerpts.get(row.uid);
    return excerpt ? { ...row, excerpt } : row;
  });
  return { ...found, rows };
}

function find(db: Database, search: Search, order: Order | null, request: PageRequest) {
  if (!order) return findByRelevance(db, search, request);
  const [first, ...others] = order;
  // The uid alone decides between articles of one date.
  return first?.name === "date" && others.length === 1
    ? findByDate(db, search, first.direction, request)
    : findInOrder(db, search, order, request);
}
