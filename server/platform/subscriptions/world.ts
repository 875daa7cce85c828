import type { Database } from "../database/tables";
import type { KeyedSubjects } from "../limits/subject";
import type { ConfiguredSite } from "../mail/site";
import type { Clock } from "../ports/clock";
import type { Log } from "../ports/log";
import type { PaymentGateway } from "../ports/payment-gateway";
import type { Calendar } from "../offers/periods";

/** What the rules of subscriptions work with. */
export type World = {
  db: Database;
  clock: Clock;
  log: Log;
  /** How long what is sold by the day, week, month and year lasts. */
  calendar: Calendar;
  gateway: PaymentGateway;
  activationDelaySeconds: number;
  site: ConfiguredSite;
};

/** Where people leave, too: what is kept of them is found again by keyed hashes. */
export type PeopleWorld = World & { subjects: KeyedSubjects };

/** Inside a transaction: the payment provider is asked outside. */
export type Life = Omit<World, "gateway">;

/** The same rules inside one transaction. */
export function inTransaction<W extends { db: Database }, T>(
  world: W,
  work: (world: W) => Promise<T>,
): Promise<T> {
  return world.db.transaction().execute((db) => work({ ...world, db }));
}
