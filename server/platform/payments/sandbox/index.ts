import type { Database } from "../../database/tables";
import type { Clock } from "../../ports/clock";
import { deriveKeys } from "../../ports/keys";
import type { Log } from "../../ports/log";
import { sandboxGateway } from "./gateway";
import { SETTLEMENT, settleInBackground } from "./later";
import { notifierOf, type SandboxOptions } from "./notifier";
import { paymentPages } from "./pages";
import type { BankContext } from "./context";

type Options = {
  db: Database;
  clock: Clock;
  log: Log;
  secrets: readonly string[];
  sandbox?: SandboxOptions | undefined;
};

/** A bank that moves no real money; the card number decides each outcome (cards.json). */
export function sandboxBank({ db, clock, log, secrets, sandbox }: Options) {
  const { carry, notify, listen } = notifierOf(sandbox);
  const context: BankContext = {
    db,
    clock,
    log,
    keys: deriveKeys(secrets, "sandbox bank page"),
    notify,
    refusesRefunds: () => sandbox?.refuseRefunds ?? false,
  };
  return {
    // The sandbox bank never refunds or removes a card by itself, so these listeners are never called.
    gateway: {
      ...sandboxGateway(context, carry),
      onNotification: listen,
      onReversal: () => {},
      onCardRemoved: () => {},
    },
    pages: paymentPages(context),
    workers: { [SETTLEMENT]: (payload: unknown) => settleInBackground(context, payload) },
  };
}
