import { sql, type RawBuilder, type SqlBool } from "kysely";
import type { CriterionName, Position } from "./cursor";

export type Direction = "asc" | "desc";

/** One sort key of a list. */
export type Criterion = {
  name: CriterionName;
  value: RawBuilder<string | number>;
  direction: Direction;
};

/** The last criterion is the uid, so that no two entries compare as equal. */
export type Order = readonly Criterion[];

/**
 * Selects the rows after a position: `a > 1 or (a = 1 and b > 2)`. Rows added or removed before it
 * do not matter. The first criterion is repeated alone, so that its index is used.
 */
export function isAfter(order: Order, position: Position) {
  const branches = order.map((_, depth) => {
    const ties = order.slice(0, depth).map(({ value }, i) => sql`${value} = ${position[i]}`);
    return sql`(${sql.join([...ties, isBeyond(order, position, depth)], sql` and `)})`;
  });
  const reached = sql.join(branches, sql` or `);
  return sql<SqlBool>`(${isBeyond(order, position, 0, sql`=`)} and (${reached}))`;
}

function isBeyond(order: Order, position: Position, depth: number, orEqual = sql``) {
  const criterion = order[depth];
  const sign = criterion?.direction === "asc" ? sql`>` : sql`<`;
  return sql`${criterion?.value} ${sign}${orEqual} ${position[depth]}`;
}
