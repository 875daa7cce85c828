import { PAGE_LENGTH } from "../../../app/contract/limits";
import type { Database } from "../database/tables";
import { decodeCursor } from "../paging/cursor";
import { isAfter, type Order } from "../paging/order";
import { readPage, type PageRequest } from "../paging/page";

export type Filters = {
  authors: readonly string[];
  categories: readonly string[];
  tags: readonly string[];
};

type List = { name: string; order: Order };

/** Most filter values with a part of the statement each. With more values, reading in order soon finds a page. */
const MAX_PARTS = 20;

/** True when an index holds the list of each value of a filter in this order. */
export function isInIndex(filters: Filters, order: Order): boolean {
  const values = valuesOf(filters).length;
  const isByDate = order.every(({ name }) => name === "date" || name === "uid");
  return isByDate && values > 0 && values <= MAX_PARTS;
}

/**
 * Reads the uids of one page: a page for each value of one filter, from its part of an index, and these
 * merged. The time does not grow with the number of articles.
 */
export function readUids(db: Database, filters: Filters, list: List, request: PageRequest) {
  const parts = partsOf(db, filters).map((part) => cutPart(part, filters, list, request));
  const [first, ...others] = parts.map((part) => db.selectFrom(part.as("part")).selectAll());
  if (!first) throw new Error("A list without filters has no parts");
  // An article with two of the tags is in two parts.
  const all = others.reduce((merged, part) => merged.union(part), first);
  return readPage(db.selectFrom(all.as("article")).select("article.uid"), list, request);
}

/** The values of the filter that an index answers. The other filters are checked on each row found. */
const valuesOf = ({ tags, categories, authors }: Filters) =>
  [tags, categories, authors].find((values) => values.length > 0) ?? [];

function partsOf(db: Database, filters: Filters) {
  const values = [...new Set(valuesOf(filters))];
  if (filters.tags.length > 0) return values.map((tag) => withTag(db, tag));
  const column = filters.categories.length > 0 ? "category_uid" : "author_uid";
  return values.map((value) => withValue(db, column, value));
}

/** Articles with a tag, from the index of tags, under the names of the other filters. */
export const withTag = (db: Database, tag: string) =>
  db.selectFrom(
    db
      .selectFrom("article_tag")
      .select(["article_uid as uid", "date", "category_uid", "author_uid"])
      .where("tag_uid", "=", tag)
      .as("article"),
  );

export const withValue = (db: Database, column: "category_uid" | "author_uid", value: string) =>
  db.selectFrom(
    db
      .selectFrom("article")
      .select(["uid", "date", "category_uid", "author_uid"])
      .where(column, "=", value)
      .as("article"),
  );

function cutPart(
  part: ReturnType<typeof withTag>,
  { categories, authors }: Filters,
  { name, order }: List,
  { after: cursor, length = PAGE_LENGTH }: PageRequest,
) {
  let cut = part.select(["article.uid", "article.date"]).limit(length + 1);
  if (categories.length > 0) cut = cut.where("article.category_uid", "in", categories);
  if (authors.length > 0) cut = cut.where("article.author_uid", "in", authors);
  if (cursor) cut = cut.where(isAfter(order, decodeCursor(name, order, cursor)));
  for (const { value, direction } of order) cut = cut.orderBy(value, direction);
  return cut;
}
