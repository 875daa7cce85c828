import type Stripe from "stripe";
import type { Database } from "../../database/tables";
import type { Clock } from "../../ports/clock";
import type { Log } from "../../ports/log";
import type {
  CardListener,
  NotificationListener,
  ReversalListener,
} from "../../ports/payment-gateway";
import type { statementOf } from "./statement";

/** What the calls to Stripe work with. */
export type World = {
  stripe: Stripe;
  /** For what is kept of the exchange itself: customers and events. */
  db: Database;
  clock: Clock;
  log: Log;
  /** The site's part of the line on a card statement. */
  statement: ReturnType<typeof statementOf>;
  notify: NotificationListener;
  reversed: ReversalListener;
  cardRemoved: CardListener;
};
