import { readConfig } from "../../app/config.server";
import { uid as uidSchema } from "../../app/contract/primitives";
import type { Duration } from "../../app/contract/periods";
import {
  creditTerms as creditTermsSchema,
  durationUnit,
  formula as formulaSchema,
  LONGEST_WITHDRAWAL_DAYS,
  waitsForWithdrawal,
  type CreditTerms,
  type DurationUnit,
  type Formula,
} from "../../app/contract/subscriptions";
import { writtenLine } from "../../app/contract/text";
import {
  addFormula,
  changeFormula,
  confirmFormula,
  listFormulas,
  readSoldFormula,
  retireFormula,
  type CatalogueEntry,
} from "../platform/offers/catalogue";
import type { Database } from "../platform/database/tables";
import { creditAtDefault } from "../platform/offers/default-formula";
import { whyUnsellable } from "../platform/offers/unsellable";
import { PAGE_LIMITS } from "../platform/payments/page-limits";
import type { PageLimits } from "../platform/ports/payment-gateway";
import { countRunning } from "../platform/subscriptions/lookup";
import { WITHDRAWAL_DAYS } from "../platform/subscriptions/withdrawal-deadline";
import { openClock } from "./command/clock";
import { command } from "./command/command";
import { withDatabase } from "./command/with-database";

const HELP = `Usage: npm run formulas -- <command>

  list                    prints the formulas, one a line, also those that are not sold any more
  add <uid> <terms>       a new formula; --name, --amount and --period are needed
  change <uid> <terms>    other terms for orders from now on
  confirm <uid>           a formula of the demonstration is yours as it is: a live payment key sells
                          none that nobody changed, confirmed or retired (npm run site -- check)
  retire <uid>            not sold any more, neither are the traffic tokens that open it

Terms:
  --name <name>           as it is shown
  --amount <euros>        of each period: 9.90
  --period <length>       "1 month": days, weeks, months or years, two years at most
  --trial <length>        "7 days" before the first period, two years at most, or none
  --trial-amount <euros>  of the trial: 1.00, or free
  --credit <euros>        what a partner's offer gives back, or none; such a formula is sold with a
                          traffic token only (npm run traffic), and with all its conditions:
  --credit-debtor <name>  who pays it: the seller or the partner, by name
  --credit-way <words>    how, in French words after « par »: "virement bancaire"
  --credit-delay <days>   days until it is due, 1 to 366, counted from
  --credit-after <event>  order, or full-payment: the first debit of a whole period
  --credit-conditions <words>  what else it depends on, in French

A formula is not sold while its credit has no conditions, or while the payment page of PAYMENT_GATEWAY
cannot sell it: Stripe's charges no free trial, and shows 1200 characters of what the order says. list
says "not sold" then, and why; so do npm run site -- check and the start of the site. Run this command
with the site's own PAYMENT_GATEWAY.
A credit is never due before the right of withdrawal has ended, ${WITHDRAWAL_DAYS} to ${LONGEST_WITHDRAWAL_DAYS - 1} days after the order: the order
page says so where --credit-delay is shorter.
Amounts are 0.50 euros or more: less cannot be charged.
Contracts that run keep their terms, and payments under way what was shown. Their people are NOT told
of a change: a price that is to rise for them is another matter, which this command does not do.
The database is DATABASE_URL, or the embedded one in DATA_DIR (default: data).`;

const USAGE = "Expected: list, add <uid>, change <uid>, confirm <uid> or retire <uid> (see --help)";

type Terms = Record<string, string | undefined>;

export const main = command({
  help: HELP,
  options: [
    "name",
    "amount",
    "period",
    "trial",
    "trial-amount",
    "credit",
    "credit-debtor",
    "credit-way",
    "credit-delay",
    "credit-after",
    "credit-conditions",
  ],
  run: async ({ words: [name, uid, ...rest], options }) => {
    if (rest.length > 0) throw new Error(USAGE);
    if (name === "list" && uid === undefined && isEmpty(options)) return list();
    if (uid === undefined) throw new Error(USAGE);
    if (name === "add") return add(uid, options);
    if (name === "change" && !isEmpty(options)) return change(uid, options);
    if (name === "confirm" && isEmpty(options)) return confirm(uid);
    if (name === "retire" && isEmpty(options)) return retire(uid);
    throw new Error(USAGE);
  },
});

const isEmpty = (terms: Terms) => Object.keys(terms).length === 0;

async function list() {
  const entries = await withDatabase(async (open) => listFormulas(await open()));
  const limits = PAGE_LIMITS[readConfig(process.env).paymentGateway];
  for (const entry of entries) console.log(lineOf(entry, limits));
}

async function add(uid: string, terms: Terms) {
  if (!uidSchema.safeParse(uid).success) {
    throw new Error(`Not a uid: ${uid} (1 to 128 letters, digits, "-" and "_")`);
  }
  const { name, amount, period } = terms;
  if (!name || !amount || !period) throw new Error("--name, --amount and --period are needed");
  const { duration: periodDuration, unit: periodDurationUnit } = readLength("--period", period);
  const bare = { uid, amount: readEuros("--amount", amount), periodDuration, periodDurationUnit };
  const formula = withTerms(bare, terms);
  await withDatabase(async (open) => {
    checkSellable(formula);
    await addFormula(await open(), formula);
  });
  console.log(`Formula ${uid} is sold from now on`);
  noteLateCredit(formula);
}

async function change(uid: string, terms: Terms) {
  const { formula, running } = await withDatabase(async (open) => {
    const db = await open();
    const formula = withTerms(await readSoldFormula(db, uid), terms);
    checkSellable(formula);
    await changeFormula(db, formula);
    return { formula, running: await countRunning(db, uid) };
  });
  console.log(`Formula ${uid} is changed for orders from now on; ${unchangedNote(running)}`);
  noteLateCredit(formula);
}

/** The site keeps the agreed delay, and adds to it what the law gives the buyer to withdraw. */
function noteLateCredit({ creditTerms: terms }: Formula) {
  if (!terms || !waitsForWithdrawal(terms)) return;
  console.log(
    "Its credit is not due before the right of withdrawal has ended, and its offer says so",
  );
}

async function confirm(uid: string) {
  await withDatabase(async (open) => {
    const db = await open();
    checkSellable(await readSoldFormula(db, uid));
    await confirmFormula({ db, clock: await openClock(readConfig(process.env), db) }, uid);
  });
  console.log(`Formula ${uid} is confirmed as it is`);
}

async function retire(uid: string) {
  const running = await withDatabase(async (open) => {
    const db: Database = await open();
    const config = readConfig(process.env);
    if (uid === config.defaultFormula) {
      throw new Error(`${uid} is DEFAULT_FORMULA, which /registration sells: name another first`);
    }
    await retireFormula({ db, clock: await openClock(config, db) }, uid);
    return countRunning(db, uid);
  });
  console.log(`Formula ${uid} is not sold any more; ${unchangedNote(running)}`);
}

const unchangedNote = (running: number) =>
  `${running} running contract${running === 1 ? "" : "s"} go on as agreed, and nobody is told`;

/** @throws Error when this site's settings do not allow the formula to be sold */
function checkSellable(formula: Formula) {
  const { uid, creditAmount } = formula;
  const { defaultFormula, paymentGateway } = readConfig(process.env);
  if (uid === defaultFormula && creditAmount !== undefined) {
    throw new Error(creditAtDefault(uid));
  }
  const why = whyUnsellable(formula, PAGE_LIMITS[paymentGateway]);
  if (why !== null) throw new Error(`${uid} would not be sold: ${why}`);
}

/** Applies the given terms to a formula; `none` removes its trial or credit. */
function withTerms(formula: Formula, terms: Terms): Formula {
  const { trialAmount, trialDuration, trialDurationUnit, creditAmount, ...others } = formula;
  const { creditTerms, ...rest } = others;
  const known = { trialAmount, trialDuration, trialDurationUnit };
  return dropUndefined({
    ...rest,
    ...(terms.name !== undefined && { name: readName(terms.name) }),
    ...(terms.amount !== undefined && { amount: readEuros("--amount", terms.amount) }),
    ...(terms.period !== undefined && periodOf(readLength("--period", terms.period))),
    ...(terms.trial !== "none" && known),
    ...trialOf(terms),
    creditAmount: creditOf(terms, creditAmount),
    creditTerms: creditTermsOf(terms, creditTerms),
  });
}

const periodOf = ({ duration, unit }: Duration) => ({
  periodDuration: duration,
  periodDurationUnit: unit,
});

function trialOf({ trial, "trial-amount": amount }: Terms) {
  if (trial === "none") {
    if (amount !== undefined) throw new Error("--trial none has no --trial-amount");
    return {};
  }
  const length = trial === undefined ? null : readLength("--trial", trial);
  return {
    ...(length && { trialDuration: length.duration, trialDurationUnit: length.unit }),
    ...(amount !== undefined && {
      trialAmount: amount === "free" ? 0 : readEuros("--trial-amount", amount),
    }),
  };
}

function creditOf({ credit }: Terms, known: number | undefined): number | undefined {
  if (credit === undefined) return known;
  return credit === "none" ? undefined : readEuros("--credit", credit);
}

/** The conditions of the credit after a change of some of them; undefined without any. */
function creditTermsOf(terms: Terms, known: CreditTerms | undefined): CreditTerms | undefined {
  const given = {
    ...(terms["credit-debtor"] !== undefined && { debtor: terms["credit-debtor"] }),
    ...(terms["credit-way"] !== undefined && { way: terms["credit-way"] }),
    ...(terms["credit-delay"] !== undefined && { delayDays: readCount(terms["credit-delay"]) }),
    ...(terms["credit-after"] !== undefined && { delayAfter: terms["credit-after"] }),
    ...(terms["credit-conditions"] !== undefined && { conditions: terms["credit-conditions"] }),
  };
  const kept = terms.credit === "none" ? undefined : known;
  if (Object.keys(given).length === 0) return kept;
  const read = creditTermsSchema.safeParse({ ...kept, ...given });
  if (read.success) return read.data;
  const wrong = new Set(read.error.issues.map(({ path: [field] }) => CREDIT_OPTIONS.get(field)));
  throw new Error(`Missing or not valid: ${[...wrong].join(", ")} (see --help)`);
}

const CREDIT_OPTIONS = new Map<PropertyKey | undefined, string>([
  ["debtor", "--credit-debtor"],
  ["way", "--credit-way"],
  ["delayDays", "--credit-delay"],
  ["delayAfter", "--credit-after"],
  ["conditions", "--credit-conditions"],
]);

/** Returns zero, which the schema refuses, for a text that is no count. */
const readCount = (text: string) => (/^\d{1,3}$/.test(text) ? Number(text) : 0);

/** Drops fields that are undefined. */
function dropUndefined(formula: {
  [K in keyof Formula]: Formula[K] | undefined;
}): Formula {
  const kept = Object.entries(formula).filter(([, value]) => value !== undefined);
  return formulaSchema.parse(Object.fromEntries(kept));
}

function readName(text: string): string {
  const name = writtenLine(NAME_LENGTH).safeParse(text);
  if (!name.success) throw new Error(`Not a name: give 1 to ${NAME_LENGTH} characters`);
  return name.data;
}

const NAME_LENGTH = 60;

/** Reads `9.90`, `9,90` or `9` as cents. */
function readEuros(option: string, text: string): number {
  const [, euros, cents = "00"] = /^(\d{1,6})(?:[.,](\d{2}))?$/.exec(text) ?? [];
  if (euros === undefined) throw new Error(`${option}: not an amount: ${text} (example: 9.90)`);
  const amount = Number(euros) * 100 + Number(cents);
  if (amount === 0) throw new Error(`${option}: nothing cannot be charged`);
  return amount;
}

/** Reads `7 days` or `1 month`. */
function readLength(option: string, text: string): Duration {
  const [, count, word] = /^([1-9]\d{0,2}) ([a-z]+?)s?$/.exec(text) ?? [];
  const unit = durationUnit.safeParse(word);
  if (count === undefined || !unit.success) {
    throw new Error(`${option}: not a length: ${text} (example: "1 month")`);
  }
  const duration = Number(count);
  if (duration > TWO_YEARS[unit.data]) {
    throw new Error(`${option}: ${text} is longer than two years, the most that is sold`);
  }
  return { duration, unit: unit.data };
}

/** A slip of the unit must not bind anybody: what a command adds is on sale at once. */
const TWO_YEARS = { day: 731, week: 104, month: 24, year: 2 } satisfies Record<
  DurationUnit,
  number
>;

function lineOf({ formula, retiredAt }: CatalogueEntry, limits: PageLimits | undefined): string {
  const { uid, name, amount, creditAmount, periodDuration, periodDurationUnit } = formula;
  const { trialAmount = 0, trialDuration, trialDurationUnit } = formula;
  const why = whyUnsellable(formula, limits);
  const parts = [
    uid,
    name ?? uid,
    `${euros(amount)} every ${periodDuration} ${periodDurationUnit}`,
    trialDuration && `trial ${trialDuration} ${trialDurationUnit} ${freeOr(trialAmount)}`,
    creditAmount && creditPart(creditAmount, formula.creditTerms),
    why && `not sold: ${why}`,
    retiredAt && `retired ${retiredAt}`,
  ];
  return parts.filter(Boolean).join("\t");
}

function creditPart(amount: number, terms: CreditTerms | undefined) {
  if (!terms) return `credit ${euros(amount)}`;
  const { debtor, way, delayDays, delayAfter, conditions } = terms;
  return (
    `credit ${euros(amount)} from ${debtor} by ${way}, ${delayDays} days after ${delayAfter}, ` +
    `if: ${conditions}`
  );
}

const freeOr = (cents: number) => (cents === 0 ? "free" : euros(cents));

const euros = (cents: number) => `${(cents / 100).toFixed(2)} EUR`;
