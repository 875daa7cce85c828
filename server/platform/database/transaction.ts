import type { Database } from "./tables";

/** What waits for the commit of each transaction that `inTransaction` has begun. */
const afterCommits = new WeakMap<Database, (() => void)[]>();

/**
 * Runs the work in one transaction, with a context whose `db` is the transaction.
 * Functions that take the database alone call Kysely's own method.
 */
export async function inTransaction<C extends { db: Database }, T>(
  context: C,
  work: (context: C) => Promise<T>,
): Promise<T> {
  const effects: (() => void)[] = [];
  const result = await context.db.transaction().execute((db) => {
    afterCommits.set(db, effects);
    return work({ ...context, db });
  });
  for (const effect of effects) effect();
  return result;
}

/** Runs the effect once the transaction is committed, never if it is not. Outside of one it runs at once. */
export function afterCommit(db: Database, effect: () => void) {
  const effects = afterCommits.get(db);
  if (effects) effects.push(effect);
  else effect();
}
