import { sql } from "kysely";
import type { Article, ArticleFilter, MediaFilter } from "../../../app/contract/content";
import { invalid } from "../http/refusal";
import type { Principal } from "../http/types";
import type { ArticleSelection, FoundArticle } from "./articles";
import type { MediaSelection } from "./medias";
import type { Criterion, Direction, Order } from "../paging/order";

/** Subscribers read restricted articles whole. */
export const readsWhole = (principal: Principal | null): boolean => principal?.roles.vip === true;

/** The article as this reader may see it; `remainder` is null where it was not even read. */
export function shownArticle({ opening, remainder, ...summary }: FoundArticle): Article {
  const partial = summary.restricted && remainder === null;
  return { ...summary, body: opening + (remainder ?? ""), partial };
}

/** Singular and plural keys add up. */
export function articleSelection(filter: ArticleFilter): ArticleSelection {
  return {
    ids: filter.ids,
    authors: [...(filter.author ?? []), ...(filter.authors ?? [])],
    categories: [...(filter.category ?? []), ...(filter.categories ?? [])],
    tags: [...(filter.tag ?? []), ...(filter.tags ?? [])],
  };
}

/** @throws Refusal 400 when the type is no `type/subtype` */
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

/** In the order the keys were given; the latest first where nothing else decides. */
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

/** By name, not by uid; what has no author comes first. */
function authorName(table: "article" | "media") {
  const written = sql.ref(`${table}.author_uid`);
  return sql<string>`coalesce((select sort_name from author where author.uid = ${written}), '')`;
}
