import type { Database } from "../../database/tables";
import type { Clock } from "../../ports/clock";
import { deriveKeys } from "../../ports/keys";
import type { Log } from "../../ports/log";
import { createSandboxGateway } from "./gateway";
import { SETTLEMENT, settleInBackground } from "./late-decision";
import { createConnection, type SandboxOptions } from "./notifier";
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
export function createSandboxBank({ db, clock, log, secrets, sandbox }: Options) {
  const { carry, reach, notify, listen } = createConnection(sandbox);
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
      ...createSandboxGateway(context, { carry, reach }),
      onNotification: listen,
      onReversal: () => {},
      onCardRemoved: () => {},
    },
    pages: paymentPages(context),
    workers: { [SETTLEMENT]: (payload: unknown) => settleInBackground(context, payload) },
  };
}
