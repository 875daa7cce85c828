import { setTimeout as pause } from "node:timers/promises";
import { isPostgres } from "./dialect";
import type { Database } from "./tables";

/**
 * Runs the work in one transaction, with a context whose `db` is the transaction.
 * Functions that take the database alone call Kysely's own method, where nothing waits for the commit.
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

/**
 * Does it once the transaction has ended well, at once where there is none, and never when it is undone.
 * @throws Error in a transaction of Kysely's own method: nobody knows there when it is committed
 */
export function afterCommit(db: Database, action: () => void) {
  const actions = waiting.get(db);
  if (actions) actions.push(action);
  else if (db.isTransaction) throw new Error("What waits for a commit needs inTransaction");
  else action();
}

/** Longer than the pauses between two attempts of those who wait for the lock of SQLite (`sqlite.ts`). */
const SHORTEST_GAP_MS = 30;

/**
 * Runs the work for each part in a transaction of its own, and leaves SQLite to others in between, at least as long
 * as the transaction took: those who wait for its write lock try again and again, and have no place in a queue. A
 * part is asked for when the one before it is written.
 */
export async function inShortTransactions<T>(
  db: Database,
  parts: Iterable<T>,
  work: (transaction: Database, part: T) => Promise<void>,
) {
  const gapMs = isPostgres(db) ? 0 : SHORTEST_GAP_MS;
  let free = 0;
  for (const part of parts) {
    const wait = free - performance.now();
    if (wait > 0) await pause(wait);
    const start = performance.now();
    await db.transaction().execute((transaction) => work(transaction, part));
    const end = performance.now();
    free = gapMs > 0 ? end + Math.max(end - start, gapMs) : end;
  }
}
