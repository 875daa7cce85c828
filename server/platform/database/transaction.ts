import type { Database } from "./tables";

/** Runs the work in one transaction, with a context whose `db` is the transaction. */
export function inTransaction<C extends { db: Database }, T>(
  context: C,
  work: (context: C) => Promise<T>,
): Promise<T> {
  return context.db.transaction().execute((db) => work({ ...context, db }));
}
