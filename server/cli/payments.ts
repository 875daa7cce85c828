import { z } from "zod/v4";
import { DAY_MS } from "../platform/ports/durations";
import { readConfig } from "../../app/config.server";
import { calendarOf } from "../../app/contract/periods";
import { credit, type Credit } from "../../app/contract/subscriptions";
import { listCredits } from "../platform/subscriptions/credit-list";
import { markCreditPaid } from "../platform/subscriptions/credit-payment";
import { listPayments } from "../platform/subscriptions/payment-list";
import { openClock } from "./command/clock";
import { command } from "./command/command";
import { withDatabase } from "./command/with-database";

const HELP = `Usage: npm run payments -- <command>

  list [--failed or --reversed] [--days <n>]
      prints the payments of the last days (default: 30), newest last, one JSON line each; with
      --failed only those that were refused, and renewals that the provider could not be asked about;
      with --reversed only those, of whatever day, that were given back or disputed in these days
  credits [--state awaited, due, paid or void] [--day <yyyy-mm-dd>]
      prints the credits (cashback) of contracts, oldest first, one JSON line each; with --day those
      due on that day
  credits pay <reference> [--day <yyyy-mm-dd>]
      marks the due credit of a contract as paid on that day (default: today), once; the site then
      mails its person; the money itself is paid outside of this site, in the agreed way

"code" says why: declined, authentication_required (the person has to confirm), unknown_card, or the
provider's own code. A renewal that stays "pending" with a code says that the shop's key, its rights
or the way to the provider is at fault, not the card: the site tries again until the grace ends.
A payment that was taken is a "success" whatever became of its money: "refunded" are the cents that went
back, "refundPending" those on their way, "refundGivenUp" those to be given back by hand; "dispute" is
open, lost (the bank took the money) or won.
A credit is "awaited" until its delay and the right of withdrawal are over, and "void" for a "reason":
the contract was withdrawn from, refunded, disputed with success, or ended before a whole period was
paid. "reclaim" says why a credit that was paid is not owed any more. "email" is the profile's, then the
one that the proof of the contract keeps, and null once that is purged: the credit is owed all the same,
and its partner knows the "affiliation".
The database is DATABASE_URL, or the embedded one in DATA_DIR (default: data).`;

const USAGE =
  "Expected: list [--failed or --reversed] [--days <n>], credits [--state <state>] [--day <day>] or " +
  "credits pay <reference> [--day <day>] (see --help)";

const DEFAULT_DAYS = "30";

export const main = command({
  help: HELP,
  options: ["days", "state", "day"],
  flags: ["failed", "reversed"],
  run: async ({ words: [name, ...rest], options, flags }) => {
    const { days, state, day } = options;
    if (name === "credits" && days === undefined && flags.size === 0) {
      const [verb, reference, ...more] = rest;
      if (verb === undefined) return listAllCredits(readState(state), readDay(day));
      if (verb !== "pay" || !reference || more.length > 0 || state !== undefined) {
        throw new Error(USAGE);
      }
      return pay(reference, readDay(day));
    }
    if (name !== "list" || rest.length > 0 || state !== undefined || day !== undefined) {
      throw new Error(USAGE);
    }
    return list(readOnly(flags), readDays(days ?? DEFAULT_DAYS));
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

function readState(text: string | undefined): Credit["status"] | null {
  if (text === undefined) return null;
  const state = credit.shape.status.safeParse(text);
  if (!state.success) throw new Error(`Not a state: ${text} (awaited, due, paid or void)`);
  return state.data;
}

function readDay(text: string | undefined): string | null {
  if (text === undefined) return null;
  const day = z.iso.date().safeParse(text);
  if (!day.success) throw new Error(`Not a day: ${text} (example: 2026-12-24)`);
  return day.data;
}

async function listAllCredits(status: Credit["status"] | null, day: string | null) {
  const credits = await withDatabase(async (open) => listCredits(await open(), { status, day }));
  for (const one of credits) console.log(JSON.stringify(one));
}

/** @throws Error in one sentence when the credit is not due, or paid already */
async function pay(reference: string, day: string | null) {
  const config = readConfig(process.env);
  const daySeconds = config.stripe ? undefined : config.renewalDaySeconds;
  const marked = await withDatabase(async (open) => {
    const db = await open();
    const clock = await openClock(config, db);
    return markCreditPaid({ db, clock, calendar: calendarOf(daySeconds) }, reference, day);
  });
  if ("refusal" in marked) throw new Error(marked.refusal);
  const { recipient } = marked;
  const told =
    recipient === null
      ? "nobody is told: no e-mail of the contract is kept any more"
      : `the site mails ${recipient} while it runs, or when it is started`;
  console.log(`The credit of ${reference} is marked as paid; ${told}`);
}
