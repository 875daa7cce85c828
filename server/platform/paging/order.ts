import { sql, type RawBuilder, type SqlBool } from "kysely";
import type { CriterionName, Position } from "./cursor";

export type Direction = "asc" | "desc";

/** One thing a list is ordered by. */
export type Criterion = {
  name: CriterionName;
  value: RawBuilder<string | number>;
  direction: Direction;
};

/** The last criterion is the uid: no two entries stand at the same place. */
export type Order = readonly Criterion[];

/**
 * The rows after a position, whichever rows come and go before it: `a > 1 or (a = 1 and b > 2)`.
 * The first criterion is bounded once more, alone, so that its index is used.
 */
export function after(order: Order, position: Position) {
  const branches = order.map((_, depth) => {
    const ties = order.slice(0, depth).map(({ value }, i) => sql`${value} = ${position[i]}`);
    return sql`(${sql.join([...ties, beyond(order, position, depth)], sql` and `)})`;
  });
  const reached = sql.join(branches, sql` or `);
  return sql<SqlBool>`(${beyond(order, position, 0, sql`=`)} and (${reached}))`;
}

function beyond(order: Order, position: Position, depth: number, orEqual = sql``) {
  const criterion = order[depth];
  const sign = criterion?.direction === "asc" ? sql`>` : sql`<`;
  return sql`${criterion?.value} ${sign}${orEqual} ${position[depth]}`;
}
