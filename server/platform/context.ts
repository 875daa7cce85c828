import type { Database } from "./database/tables";
import type { ConfiguredSite } from "./mail/site";
import type { Clock } from "./ports/clock";
import type { Log } from "./ports/log";

/** What every rule of the platform works with; resources add what only they need. */
export type Context = { db: Database; clock: Clock; log: Log; site: ConfiguredSite };

/** Does the work in one transaction: the context it is given reads and writes inside of it. */
export function inTransaction<C extends { db: Database }, T>(
  context: C,
  work: (context: C) => Promise<T>,
): Promise<T> {
  return context.db.transaction().execute((db) => work({ ...context, db }));
}
