import type { Input } from "~/api/prepare";
import { SEARCH_LENGTH } from "~/contract/limits";

/** Filters in the address of the list. `sort` is `{key}-{direction}`. */
export type Filters = {
  /** Words that are searched for; empty without a search. */
  q: string;
  categories: string[];
  authors: string[];
  tags: string[];
  /** Null: the most relevant first where words are searched for, otherwise the newest. */
  sort: Sort | null;
  after: string | undefined;
};

export const KINDS = ["categories", "authors", "tags"] as const;
export type Kind = (typeof KINDS)[number];

/** The query parameters of the list. */
export const PARAMETERS = ["q", ...KINDS, "sort", "after"];

const NEWEST = "date-desc";
export const SORTS = [NEWEST, "date-asc", "author-asc", "menu-asc"] as const;
export type Sort = (typeof SORTS)[number];

const sortQueries: Record<Sort, Input<"listArticles">["query"]["sort"]> = {
  "date-desc": { date: "desc" },
  "date-asc": { date: "asc" },
  "author-asc": { author: "asc" },
  "menu-asc": { menu: "asc" },
};

export function readFilters(search: URLSearchParams): Filters {
  const q = readWords(search.get("q") ?? "");
  const wanted = search.get("sort");
  const sort = SORTS.find((one) => one === wanted) ?? null;
  const all = (kind: Kind) => [...new Set(search.getAll(kind))].filter(Boolean);
  return {
    q,
    categories: all("categories"),
    authors: all("authors"),
    tags: all("tags"),
    sort: q === "" && sort === NEWEST ? null : sort,
    after: search.get("after") ?? undefined,
  };
}

/** What the contract takes, whatever the address holds: its field is as short. */
const readWords = (typed: string) =>
  typed
    .slice(0, SEARCH_LENGTH)
    .replace(/[\0\p{Cs}]/gu, "")
    .trim();

export function toQuery({ q, categories, authors, tags, sort, after }: Filters) {
  return {
    categories,
    authors,
    tags,
    ...(q && { q }),
    ...(sort && { sort: sortQueries[sort] }),
    ...(after && { after }),
  };
}

/** The query of a list's address: `paths.articles(toAddress(filters))`. */
export function toAddress({ q, categories, authors, tags, sort }: Filters, after?: string | null) {
  return {
    ...(q && { q }),
    categories,
    authors,
    tags,
    ...(sort && { sort }),
    ...(after && { after }),
  };
}

/** How many authors, categories and tags are chosen. */
export const countFilters = (filters: Filters) =>
  KINDS.reduce((count, kind) => count + filters[kind].length, 0);

export function removeFilters(filters: Filters, kind: Kind, uids: readonly string[]): Filters {
  return { ...filters, [kind]: filters[kind].filter((uid) => !uids.includes(uid)) };
}

export type Subject = { kind: Kind; uid: string };

/** What the list is about, where one author, category or tag is chosen, and nothing else. */
export function subjectOf(filters: Filters): Subject | null {
  const chosen = KINDS.flatMap((kind) => filters[kind].map((uid) => ({ kind, uid })));
  const [only] = chosen;
  return only && chosen.length === 1 && filters.q === "" ? only : null;
}
