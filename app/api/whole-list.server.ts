import { logEndlessList } from "~/log.server";
import type { Outcome } from "./client";

type ListName = "listArticles" | "listAuthors" | "listCategories" | "listPages" | "listTags";
type ItemOf<N extends ListName> = Extract<Outcome<N>, { ok: true }>["value"]["payload"][number];
type Query = { length: number; after?: string };

type Reading<N extends ListName> = {
  loadPage: (query: Query) => Promise<Outcome<N>>;
  /** Called with each item in the order of the API. */
  take: (item: ItemOf<N>) => void;
  /** Bounds the reading of a list whose cursors form a cycle. */
  maxPages: number;
};

const PAGE_LENGTH = 100;

/** Reads all pages of a list. False when one of them cannot be read. */
export async function readWholeList<N extends ListName>(
  name: N,
  { loadPage, take, maxPages }: Reading<N>,
): Promise<boolean> {
  let after: string | undefined;
  for (let pages = 0; pages < maxPages; pages++) {
    const outcome = await loadPage({ length: PAGE_LENGTH, ...(after && { after }) });
    if (!outcome.ok) return false;
    const { payload, page } = outcome.value;
    payload.forEach(take);
    if (!page.hasNextPage || page.endCursor === null) return true;
    if (page.endCursor === after) break;
    after = page.endCursor;
  }
  logEndlessList(name);
  return false;
}
