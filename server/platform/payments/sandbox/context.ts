import type { Context } from "../../database/context";
import type { NotificationListener } from "../../ports/payment-gateway";

/** Dependencies of the sandbox bank. */
export type BankContext = Pick<Context, "db" | "clock" | "log"> & {
  /** Keys of page URLs; the first is used for new pages. */
  keys: readonly Uint8Array[];
  refusesRefunds: () => boolean;
  /** Notifies the merchant. */
  notify: NotificationListener;
};
