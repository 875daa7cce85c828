import type { Database } from "../../database/tables";
import type { Clock } from "../../ports/clock";
import type { Log } from "../../ports/log";
import type { NotificationListener } from "../../ports/payment-gateway";

/** What the rules of the bank work with. */
export type World = {
  db: Database;
  clock: Clock;
  log: Log;
  /** Keys of the page addresses; the first makes new ones. */
  keys: readonly Uint8Array[];
  refusesRefunds: () => boolean;
  /** Tells the merchant. */
  notify: NotificationListener;
};
