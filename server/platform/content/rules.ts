import { sql } from "kysely";
import type { Article, ArticleFilter, MediaFilter } from "../../../app/contract/content";
import { invalid } from "../http/refusal";
import type { Principal } from "../http/types";
import type { ArticleSelection, FoundArticle } from "./articles";
import type { MediaSelection } from "./medias";
import type { Criterion, Direction, Order } from "../paging/order";

/** Only subscribers may read the remainder of restricted articles. */
export const mayReadWhole = (principal: Principal | null): boolean => principal?.roles.vip === true;

/** Builds the article of the response; `remainder` is null when the reader may not see it. */
export function articleBody({ opening, remainder, ...summary }: FoundArticle): Article {
  const partial = summary.restricted && remainder === null;
  return { ...summary, body: opening + (remainder ?? ""), partial };
}

/** Merges the singular and plural keys of the filter. */
export function articleSelection(filter: ArticleFilter): ArticleSelection {
  return {
    ids: filter.ids,
    authors: [...(filter.author ?? []), ...(filter.authors ?? [])],
    categories: [...(filter.category ?? []), ...(filter.categories ?? [])],
    tags: [...(filter.tag ?? []), ...(filter.tags ?? [])],
  };
}

/** @throws Refusal 400 when the media type is not `type/subtype` */
export function mediaSelection({ ids, author, authors, mimeType }: MediaFilter): MediaSelection {
  if (mimeType !== undefined && !/^[\w.+-]+\/[\w.+-]+$/.test(mimeType)) {
    throw invalid("mimeType", "Not a media type");
  }
  return { ids, authors: [...(author ?? []), ...(authors ?? [])], mimeType };
}

type Sort = { [key in "date" | "author" | "menu"]?: Direction | undefined };

export const articleOrder = (sort: Sort | undefined, keys: readonly string[]) =>
  orderOf("article", sort, keys);

export const mediaOrder = (sort: Sort | undefined, keys: readonly string[]) =>
  orderOf("media", sort, keys);

/** Sorts by the keys in their given order, then newest first. */
function orderOf(table: "article" | "media", sort: Sort = {}, keys: readonly string[]): Order {
  const wanted: Sort = { ...sort, date: sort.date ?? "desc" };
  const names = (["date", "author", "menu"] as const)
    .filter((name) => wanted[name])
    .sort((one, other) => rank(keys, one) - rank(keys, other));
  const chosen = names.map((name) => criterion(table, name, wanted[name] ?? "desc"));
  return [...chosen, criterion(table, "uid", chosen.at(-1)?.direction ?? "desc")];
}

function rank(keys: readonly string[], name: string) {
  const at = keys.indexOf(name);
  return at < 0 ? keys.length : at;
}

function criterion(
  table: "article" | "media",
  name: keyof Sort | "uid",
  direction: Direction,
): Criterion {
  const column = sql.ref<string | number>(`${table}.${name}`);
  return { name, value: name === "author" ? authorName(table) : column, direction };
}

/** Sorts by the author's name, not the uid; medias without an author come first. */
function authorName(table: "article" | "media") {
  if (table === "article") return sql.ref<string>("article.author_sort_name");
  return sql<string>`coalesce((select sort_name from author where author.uid = media.author_uid), '')`;
}
