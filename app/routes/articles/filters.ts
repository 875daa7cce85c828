import type { Input } from "~/api/prepare";

/** Filters in the address of the list. `sort` is `{key}-{direction}`. */
export type Filters = {
  categories: string[];
  authors: string[];
  tags: string[];
  sort: Sort;
  after: string | undefined;
};

export const KINDS = ["categories", "authors", "tags"] as const;
export type Kind = (typeof KINDS)[number];

/** The query parameters of the list. */
export const PARAMETERS = [...KINDS, "sort", "after"];

export const SORTS = ["date-desc", "date-asc", "author-asc", "menu-asc"] as const;
export type Sort = (typeof SORTS)[number];

const sortQueries: Record<Sort, Input<"listArticles">["query"]["sort"]> = {
  "date-desc": { date: "desc" },
  "date-asc": { date: "asc" },
  "author-asc": { author: "asc" },
  "menu-asc": { menu: "asc" },
};

export function readFilters(search: URLSearchParams): Filters {
  const wanted = search.get("sort");
  const all = (kind: Kind) => [...new Set(search.getAll(kind))].filter(Boolean);
  return {
    categories: all("categories"),
    authors: all("authors"),
    tags: all("tags"),
    sort: SORTS.find((sort) => sort === wanted) ?? "date-desc",
    after: search.get("after") ?? undefined,
  };
}

export function toQuery({ categories, authors, tags, sort, after }: Filters) {
  return { categories, authors, tags, sort: sortQueries[sort], ...(after && { after }) };
}

/** The query of a list's address: `paths.articles(toAddress(filters))`. */
export function toAddress({ categories, authors, tags, sort }: Filters, after?: string | null) {
  return {
    categories,
    authors,
    tags,
    ...(sort !== "date-desc" && { sort }),
    ...(after && { after }),
  };
}

export function removeFilters(filters: Filters, kind: Kind, uids: readonly string[]): Filters {
  return { ...filters, [kind]: filters[kind].filter((uid) => !uids.includes(uid)) };
}
