import { readConfig } from "../../app/config.server";
import { listMovements } from "../platform/payments/sandbox/store";
import { advanceSandbox } from "../platform/ports/sandbox-clock";
import { command } from "./command/command";
import { withDatabase } from "./command/with-database";

const HELP = `Usage: npm run sandbox -- <command>

  ledger           prints every money movement of the sandbox bank, one JSON line each
  advance <days>   moves the clock ahead; sites that run follow at once, doing on the way all that
                   falls due at its own moment: renewals, notices, ends of subscriptions

The database is DATABASE_URL, or the embedded one in DATA_DIR (default: data).`;

const MAX_DAYS = 3660;

export const main = command({
  help: HELP,
  run: async ({ words: [name, ...rest] }) => {
    if (name === "ledger" && rest.length === 0) return printLedger();
    if (name === "advance" && rest.length === 1) return advance(rest[0] ?? "");
    throw new Error(`Unknown command: ${[name, ...rest].join(" ") || "none"} (see --help)`);
  },
});

async function printLedger() {
  const movements = await withDatabase(async (open) => listMovements(await open()));
  for (const movement of movements) console.log(JSON.stringify(movement));
}

async function advance(text: string) {
  const days = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (days < 1 || days > MAX_DAYS) {
    throw new Error(`Not a number of days: ${text} (1 to ${MAX_DAYS}, see --help)`);
  }
  if (readConfig(process.env).paymentGateway !== "sandbox") {
    throw new Error("PAYMENT_GATEWAY: only the sandbox has a clock of its own");
  }
  const goal = await withDatabase(async (open) => advanceSandbox(await open(), days));
  console.log(`The sandbox clock goes to ${goal.toISOString()}`);
}
