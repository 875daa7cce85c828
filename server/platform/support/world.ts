import type { Database } from "../database/tables";
import type { ConfiguredSite } from "../mail/site";
import type { Clock } from "../ports/clock";
import type { ReplyAddresses } from "./reply-address";

/** What the rules of tickets and discussions work with. */
export type World = {
  db: Database;
  clock: Clock;
  site: ConfiguredSite;
  /** Null: answers to mails come to nobody. */
  replies: ReplyAddresses | null;
};

/** The same rules inside one transaction. */
export function inTransaction<T>(world: World, work: (world: World) => Promise<T>): Promise<T> {
  return world.db.transaction().execute((db) => work({ ...world, db }));
}
