import { readConfig } from "../../app/config.server";
import { listMovements } from "../platform/payments/sandbox/store";
import { countFailingMails } from "../platform/mail/outbox";
import { advanceSandbox } from "../platform/database/sandbox-clock";
import { command } from "./command/command";
import { withDatabase } from "./command/with-database";

const HELP = `Usage: npm run sandbox -- <command>

  ledger           prints every money movement of the sandbox bank, one JSON line each
  advance <days>   moves the clock ahead; sites that run follow at once, doing on the way all that
                   falls due at its own moment: renewals, notices, ends of subscriptions; it waits
                   for each mail, so that a mail server that does not answer holds it up

The database is DATABASE_URL, or the embedded one in DATA_DIR (default: data).`;

const MAX_DAYS = 3660;

export const main = command({
  help: HELP,
  run: async ({ words: [name, ...rest] }) => {
    if (name === "ledger" && rest.length === 0) return printLedger();
    if (name === "advance" && rest.length === 1) return advance(rest[0] ?? "");
    if (name === "advance") throw new Error("Expected: advance <days> (see --help)");
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
  const { goal, failing } = await withDatabase(async (open) => {
    const db = await open();
    return { goal: await advanceSandbox(db, days), failing: await countFailingMails(db) };
  });
  console.log(`The sandbox clock goes to ${goal.toISOString()}`);
  if (failing === 0) return;
  console.log(
    `Slowly: the mail server has not taken ${failing} mails, and the clock waits for each try. Without MAIL_URL, mails become files`,
  );
}
