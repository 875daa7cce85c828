import type { Database } from "../database/tables";
import type { Clock } from "../ports/clock";
import type { ReplyAddresses } from "./reply-address";

/** What the rules of tickets and discussions work with. */
export type World = {
  db: Database;
  clock: Clock;
  /** Of the mails: `url` is the configured origin; otherwise the one a ticket was written on. */
  site: { title: string; url: string | null };
  /** Null: answers to mails come to nobody. */
  replies: ReplyAddresses | null;
};

/** The same rules inside one transaction. */
export function inTransaction<T>(world: World, work: (world: World) => Promise<T>): Promise<T> {
  return world.db.transaction().execute((db) => work({ ...world, db }));
}
