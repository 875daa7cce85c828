import type Stripe from "stripe";
import type { Context } from "../../database/context";
import type {
  CardListener,
  NotificationListener,
  ReversalListener,
} from "../../ports/payment-gateway";
import type { descriptorSuffixOf } from "./statement-descriptor";

/** Dependencies of the Stripe gateway; `db` is for the tables of customers and events only. */
export type StripeContext = Pick<Context, "db" | "clock" | "log"> & {
  stripe: Stripe;
  /** The site's part of the line on the card statement. */
  statementDescriptor: ReturnType<typeof descriptorSuffixOf>;
  notify: NotificationListener;
  reversed: ReversalListener;
  cardRemoved: CardListener;
};
