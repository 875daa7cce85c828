import { userInfo } from "node:os";
import { z } from "zod/v4";
import { isCardNumber } from "../../app/contract/card";
import { CONTACT_NAME_LENGTH, REASON_LENGTH } from "../../app/contract/limits";
import { writtenLine } from "../../app/contract/text";
import { DAY_MS } from "../platform/ports/durations";
import { readConfig } from "../../app/config.server";
import { calendarOf } from "../../app/contract/periods";
import { credit, type Credit } from "../../app/contract/subscriptions";
import { listCredits } from "../platform/subscriptions/credit-list";
import { markCreditPaid } from "../platform/subscriptions/credit-payment";
import { orderRefund } from "../platform/subscriptions/ordered-refunds";
import { listOwed } from "../platform/money/owed-refunds";
import { listPayments } from "../platform/money/payment-list";
import { recordRepaid } from "../platform/subscriptions/repaid";
import { openClock } from "./command/clock";
import { command } from "./command/command";
import { withDatabase } from "./command/with-database";

const HELP = `Usage: npm run payments -- <command>

  list [--failed or --reversed] [--days <n>]
      prints the payments of the last days (default: 30), newest last, one JSON line each; with
      --failed only those that were refused, and renewals that the provider could not be asked about or that
      lacked a card;
      with --reversed only those, of whatever day, that were given back or disputed in these days
  refund <payment> [--amount <cents>] --reason <text> [--by <name>]
      orders a refund of a payment (its uid, "payment" in the list), of all that is left unless an
      amount is given; the site makes it while it runs, or when it is started, tries again where the
      bank does not take it, and mails the person. Once the whole payment has gone back, the access
      that it paid for ends, as after a refund at the provider; a part leaves it. Each reason is
      taken once per payment, so that a command that is run twice gives nothing back twice. Nothing is
      ordered while the payment is disputed, or beyond what is left of it. Who orders it (by default the
      user of this system), when and why stay with the payment for ten years; the person reads the
      reason in their data, so name nobody in it
  owed
      prints what has to be given back by hand, oldest first, one JSON line each: "why" is refused (the
      bank took no attempt), undecided (look up at the provider whether it went back all the same) or
      sent back (one made by hand, which came back)
  repaid <payment> [--reference <text>] [--day <yyyy-mm-dd>] [--by <name>]
      records that what is owed of a payment was paid by another way than its card, on that day (default:
      today), once and as a whole; the money itself is paid outside of this site. It is owed no more then,
      and the site mails its person, with the reference, under which they find it: give no account number.
      Who records it (by default the user of this system), when and the reference stay with the payment
      for ten years
  credits [--state awaited, due, paid or void] [--day <yyyy-mm-dd>]
      prints the credits (cashback) of contracts, oldest first, one JSON line each; with --day those
      due on that day
  credits pay <reference> [--day <yyyy-mm-dd>]
      marks the due credit of a contract as paid on that day (default: today), once; the site then
      mails its person; the money itself is paid outside of this site, in the agreed way

"code" says why: declined, authentication_required (the person has to confirm), unknown_card, or the
provider's own code; "not asked: no-card" says that no card was stored, so that the bank refused nothing. A renewal that stays "pending" with a code says that the shop's key, its rights
or the way to the provider is at fault, not the card: the site tries again until the grace ends.
A payment that was taken is a "success" whatever became of its money: "refunded" are the cents that went
back, "refundPending" those on their way, "refundGivenUp" those to be given back by hand (see owed); "dispute" is
open, lost (the bank took the money) or won. "orders" are the refunds that were ordered here, with who
ordered them and why; one with "failure" was given up, and its money did not go back; one with "undecided"
was given up without an answer. "repaidBy" recorded that it was paid by another way. "receipt" is the
number on the person's receipt, "contract" the reference that npm run data -- contract takes, "bankReference" the
provider's.
A credit is "awaited" until its delay and the right of withdrawal are over, and "void" for a "reason":
the contract was withdrawn from, refunded, disputed with success, or ended before a whole period was
paid. That can also happen once it is due, until it is paid. "obstacle" says why a due one cannot be
paid now: with "undecided", a dispute or a withdrawal is open; wait for its end. "reclaim" says why a
credit that was paid is not owed any more. "email" is the profile's, then the one that the proof of the
contract keeps, and null once that is purged: the credit is owed all the same, and its partner knows the
"affiliation".
The database is DATABASE_URL, or the embedded one in DATA_DIR (default: data).`;

const USAGE =
  "Expected: list [--failed or --reversed] [--days <n>], refund <payment> [--amount <cents>] --reason " +
  "<text> [--by <name>], owed, repaid <payment> [--reference <text>] [--day <day>] [--by <name>], " +
  "credits [--state <state>] [--day <day>] or credits pay <reference> [--day <day>] (see --help)";

const DEFAULT_DAYS = "30";

export const main = command({
  help: HELP,
  options: ["days", "state", "day", "amount", "reason", "by", "reference"],
  flags: ["failed", "reversed"],
  run: async ({ words: [name, ...rest], options, flags }) => {
    const { days, state, day, reference: paidAs, ...order } = options;
    const hasOthers = days !== undefined || state !== undefined || flags.size > 0;
    if (name === "owed") {
      if (rest.length > 0 || flags.size > 0 || Object.keys(options).length > 0) {
        throw new Error(USAGE);
      }
      return listAllOwed();
    }
    if (name === "repaid") {
      const [paymentUid, ...more] = rest;
      const { by, ...others } = order;
      if (!paymentUid || more.length > 0 || hasOthers || Object.keys(others).length > 0) {
        throw new Error(USAGE);
      }
      const [reference, paidOn] = [readReference(paidAs), readDay(day)];
      return recordAsRepaid({ paymentUid, reference, day: paidOn, by: readOperator(by) });
    }
    if (paidAs !== undefined) throw new Error(USAGE);
    const isOrder = Object.values(order).some((value) => value !== undefined);
    if (name === "refund") {
      const [payment, ...more] = rest;
      const { amount, reason, by } = order;
      const others = hasOthers || day !== undefined;
      if (!payment || more.length > 0 || reason === undefined || others) throw new Error(USAGE);
      return refund(payment, readAmount(amount), readReason(reason), readOperator(by));
    }
    if (isOrder) throw new Error(USAGE);
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

function readAmount(text: string | undefined): number | null {
  if (text === undefined) return null;
  const amount = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (amount < 1) throw new Error(`Not an amount in cents, 1 at least: ${text} (990 is 9.90 €)`);
  return amount;
}

function readReason(text: string): string {
  const reason = writtenLine(REASON_LENGTH).safeParse(text);
  if (!reason.success) throw new Error(`--reason: give 1 to ${REASON_LENGTH} characters`);
  return reason.data;
}

/** @throws Error in one line when the system has no name for its user, as in some containers */
function readOperator(text: string | undefined): string {
  const name = writtenLine(CONTACT_NAME_LENGTH).safeParse(text ?? userOfSystem());
  if (!name.success) throw new Error(`--by: give 1 to ${CONTACT_NAME_LENGTH} characters`);
  return name.data;
}

function userOfSystem(): string {
  try {
    return userInfo().username;
  } catch {
    throw new Error("The user of this system has no name: say with --by who you are");
  }
}

const EFFECTS = {
  part: "it is a part of the payment, and the access that it paid for stays",
  whole: "with it the whole payment goes back; access and further debits stay as they are",
  "period ends":
    "with it the whole payment goes back, the access that it paid for ends, and a credit of the contract is lost",
};

/** @throws Error in one sentence when nothing can be given back, or it was ordered before */
async function refund(paymentUid: string, amount: number | null, reason: string, by: string) {
  const ordered = await withDatabase(async (open) => {
    const db = await open();
    const clock = await openClock(readConfig(process.env), db);
    return orderRefund({ db, clock }, { paymentUid, amount, reason, by });
  });
  if ("refusal" in ordered) throw new Error(ordered.refusal);
  console.log(
    `The refund of ${ordered.amount} cents of ${paymentUid} is ordered by ${by}; ${EFFECTS[ordered.effect]}; the site makes ` +
      "it and mails the person while it runs, or when it is started",
  );
}

const ACCOUNT_NUMBER = /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,}/i;

function readReference(text: string | undefined): string | null {
  if (text === undefined) return null;
  const reference = writtenLine(REASON_LENGTH).safeParse(text);
  if (!reference.success) throw new Error(`--reference: give 1 to ${REASON_LENGTH} characters`);
  const digits = text.match(/\d[\d ]+\d/g) ?? [];
  if (ACCOUNT_NUMBER.test(text) || digits.some(isCardNumber)) {
    throw new Error("--reference: give no number of an account or a card");
  }
  return reference.data;
}

async function listAllOwed() {
  const owed = await withDatabase(async (open) => listOwed(await open()));
  for (const one of owed) console.log(JSON.stringify(one));
}

/** @throws Error in one sentence when nothing is owed, or it was recorded before */
async function recordAsRepaid(repayment: Parameters<typeof recordRepaid>[1]) {
  const recorded = await withDatabase(async (open) => {
    const db = await open();
    const clock = await openClock(readConfig(process.env), db);
    return recordRepaid({ db, clock }, repayment);
  });
  if ("refusal" in recorded) throw new Error(recorded.refusal);
  const { amount, day, recipient } = recorded;
  console.log(
    `${amount} cents of ${repayment.paymentUid} are recorded as paid by another way on ${day}; ${mailWords(recipient)}`,
  );
}

const mailWords = (recipient: string | null) =>
  recipient === null
    ? "nobody is told: no e-mail of the contract is kept any more"
    : `the site mails ${recipient} while it runs, or when it is started`;

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
  console.log(`The credit of ${reference} is marked as paid; ${mailWords(marked.recipient)}`);
}
