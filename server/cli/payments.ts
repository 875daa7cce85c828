import { DAY_MS } from "../platform/ports/durations";
import { readConfig } from "../../app/config.server";
import { listPayments } from "../platform/subscriptions/payment-list";
import { openClock } from "./command/clock";
import { command } from "./command/command";
import { withDatabase } from "./command/with-database";

const HELP = `Usage: npm run payments -- <command>

  list [--failed or --reversed] [--days <n>]
      prints the payments of the last days (default: 30), newest last, one JSON line each; with
      --failed only those that were refused, and renewals that the provider could not be asked about;
      with --reversed only those, of whatever day, that were given back or disputed in these days

"code" says why: declined, authentication_required (the person has to confirm), unknown_card, or the
provider's own code. A renewal that stays "pending" with a code says that the shop's key, its rights
or the way to the provider is at fault, not the card: the site tries again until the grace ends.
A payment that was taken is a "success" whatever became of its money: "refunded" are the cents that went
back, "refundPending" those on their way, "refundGivenUp" those to be given back by hand; "dispute" is
open, lost (the bank took the money) or won.
The database is DATABASE_URL, or the embedded one in DATA_DIR (default: data).`;

const USAGE = "Expected: list [--failed or --reversed] [--days <n>] (see --help)";

const DEFAULT_DAYS = "30";

export const main = command({
  help: HELP,
  options: ["days"],
  flags: ["failed", "reversed"],
  run: async ({ words: [name, ...rest], options, flags }) => {
    if (name !== "list" || rest.length > 0) throw new Error(USAGE);
    return list(readOnly(flags), readDays(options.days ?? DEFAULT_DAYS));
  },
});

function readOnly(flags: ReadonlySet<string>) {
  if (flags.has("failed") && flags.has("reversed")) throw new Error(USAGE);
  return flags.has("failed") ? "failed" : flags.has("reversed") ? "reversed" : null;
}

function readDays(text: string): number {
  const days = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (days < 1) throw new Error(`Not a number of days: ${text} (see --help)`);
  return days;
}

async function list(only: "failed" | "reversed" | null, days: number) {
  const payments = await withDatabase(async (open) => {
    const db = await open();
    const now = (await openClock(readConfig(process.env), db)).now();
    return listPayments(db, { only, since: new Date(now.getTime() - days * DAY_MS) });
  });
  for (const payment of payments) console.log(JSON.stringify(payment));
}
