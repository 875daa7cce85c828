import type { Database } from "./tables";

/**
 * Runs the work in one transaction, with a context whose `db` is the transaction.
 * Functions that take the database alone call Kysely's own method.
 */
export function inTransaction<C extends { db: Database }, T>(
  context: C,
  work: (context: C) => Promise<T>,
): Promise<T> {
  return context.db.transaction().execute((db) => work({ ...context, db }));
}
