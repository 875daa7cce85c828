import type { Database } from "./tables";

/**
 * Runs the work in one transaction, with a context whose `db` is the transaction.
 * Functions that take the database alone call Kysely's own method.
 */
export async function inTransaction<C extends { db: Database }, T>(
  context: C,
  work: (context: C) => Promise<T>,
): Promise<T> {
  const actions: (() => void)[] = [];
  const result = await context.db.transaction().execute((db) => {
    waiting.set(db, actions);
    return work({ ...context, db });
  });
  for (const action of actions) action();
  return result;
}

/** What waits for the end of each transaction. */
const waiting = new WeakMap<Database, (() => void)[]>();

/** Does it once the transaction has ended well, at once where there is none, and never when it is undone. */
export function afterCommit(db: Database, action: () => void) {
  const actions = waiting.get(db);
  if (actions) actions.push(action);
  else action();
}
