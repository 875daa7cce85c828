import type { SelectQueryBuilder } from "kysely";
import { PAGE_LENGTH } from "../../../app/contract/limits";
import { decodeCursor, encodeCursor } from "./cursor";
import { isAfter, type Order } from "./order";

export type PageRequest = { after?: string | undefined; length?: number | undefined };

/** The most that the rows of a page have together. The first row is on it whatever its size. */
type PageBound<Row> = { max: number; sizeOf: (row: Row) => number };

export type Page<Row> = { rows: Row[]; page: { hasNextPage: boolean; endCursor: string | null } };

/**
 * Reads one page of a list after its cursor.
 * @throws Refusal 400 when the cursor belongs to another list
 */
export async function readPage<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  { name, order, property }: { name: string; order: Order; property?: string },
  { after: cursor, length = PAGE_LENGTH, bound }: PageRequest & { bound?: PageBound<Row> },
): Promise<Page<Row>> {
  let found = query
    .select(order.map((criterion) => criterion.value.as(column(criterion.name))))
    .$castTo<Row & Place>()
    .limit(length + 1);
  if (cursor) found = found.where(isAfter(order, decodeCursor(name, order, cursor, property)));
  for (const { value, direction } of order) found = found.orderBy(value, direction);
  const rows = await found.execute();
  const count = bound ? Math.min(length, countFitting(rows, bound)) : length;
  const last = rows[count - 1];
  if (rows.length <= count || !last) return { rows, page: { hasNextPage: false, endCursor: null } };
  const position = order.flatMap((criterion) => last[column(criterion.name)] ?? []);
  return {
    rows: rows.slice(0, count),
    page: { hasNextPage: true, endCursor: encodeCursor(name, order, position) },
  };
}

/** How many of the first rows are within the bound, at least one. */
function countFitting<Row>(rows: readonly Row[], { max, sizeOf }: PageBound<Row>): number {
  let size = 0;
  const above = rows.findIndex((row, index) => (size += sizeOf(row)) > max && index > 0);
  return above === -1 ? rows.length : above;
}

/** Extra columns with the values of the sort keys. */
type Place = Record<`by_${string}`, string | number>;

const column = (name: string): keyof Place => `by_${name}`;
