import type { Context } from "../../ports/context";
import type { NotificationListener } from "../../ports/payment-gateway";

/** What the rules of the bank work with. */
export type BankContext = Pick<Context, "db" | "clock" | "log"> & {
  /** Keys of the page addresses; the first makes new ones. */
  keys: readonly Uint8Array[];
  refusesRefunds: () => boolean;
  /** Tells the merchant. */
  notify: NotificationListener;
};
