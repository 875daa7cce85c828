import type Stripe from "stripe";
import type { Context } from "../../ports/context";
import type {
  CardListener,
  NotificationListener,
  ReversalListener,
} from "../../ports/payment-gateway";
import type { statementOf } from "./statement";

/** The database keeps what concerns the exchange itself: customers and events. */
export type StripeContext = Pick<Context, "db" | "clock" | "log"> & {
  stripe: Stripe;
  /** The site's part of the line on a card statement. */
  statement: ReturnType<typeof statementOf>;
  notify: NotificationListener;
  reversed: ReversalListener;
  cardRemoved: CardListener;
};
