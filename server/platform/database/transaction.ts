import type { Database } from "./tables";

/** Does the work in one transaction: the context it is given reads and writes inside of it. */
export function inTransaction<C extends { db: Database }, T>(
  context: C,
  work: (context: C) => Promise<T>,
): Promise<T> {
  return context.db.transaction().execute((db) => work({ ...context, db }));
}
