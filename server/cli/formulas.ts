import { readConfig } from "../../app/config.server";
import { uid as uidSchema } from "../../app/contract/primitives";
import type { Duration } from "../../app/contract/periods";
import {
  durationUnit,
  formula as formulaSchema,
  type Formula,
} from "../../app/contract/subscriptions";
import { writtenLine } from "../../app/contract/text";
import {
  addFormula,
  changeFormula,
  listFormulas,
  readSoldFormula,
  retireFormula,
  type CatalogueEntry,
} from "../platform/offers/catalogue";
import type { Database } from "../platform/database/tables";
import { countRunning } from "../platform/subscriptions/lookup";
import { openClock } from "./command/clock";
import { command } from "./command/command";
import { withDatabase } from "./command/with-database";

const HELP = `Usage: npm run formulas -- <command>

  list                    prints the formulas, one a line, also those that are not sold any more
  add <uid> <terms>       a new formula; --name, --amount and --period are needed
  change <uid> <terms>    other terms for who buys it from now on
  retire <uid>            not sold any more, neither are the traffic tokens that open it

Terms:
  --name <name>           as it is shown
  --amount <euros>        of each period: 9.90
  --period <length>       "1 month": days, weeks, months or years
  --trial <length>        "7 days" before the first period, or none
  --trial-amount <euros>  of the trial: 1.00, or free
  --credit <euros>        what a partner's offer gives back, or none; such a formula is sold with a
                          traffic token only (npm run traffic)

Amounts are 0.50 euros or more: less cannot be charged. A free trial charges nothing, which the sandbox
bank does and Stripe's page does not.
Contracts that run keep their terms, and payments under way what was shown. Their people are NOT told
of a change: a price that is to rise for them is another matter, which this command does not do.
The database is DATABASE_URL, or the embedded one in DATA_DIR (default: data).`;

const USAGE = "Expected: list, add <uid>, change <uid> or retire <uid> (see --help)";

type Terms = Record<string, string | undefined>;

export const main = command({
  help: HELP,
  options: ["name", "amount", "period", "trial", "trial-amount", "credit"],
  run: async ({ words: [name, uid, ...rest], options }) => {
    if (rest.length > 0) throw new Error(USAGE);
    if (name === "list" && uid === undefined && isEmpty(options)) return list();
    if (uid === undefined) throw new Error(USAGE);
    if (name === "add") return add(uid, options);
    if (name === "change" && !isEmpty(options)) return change(uid, options);
    if (name === "retire" && isEmpty(options)) return retire(uid);
    throw new Error(USAGE);
  },
});

const isEmpty = (terms: Terms) => Object.keys(terms).length === 0;

async function list() {
  const entries = await withDatabase(async (open) => listFormulas(await open()));
  for (const entry of entries) console.log(lineOf(entry));
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
}

async function change(uid: string, terms: Terms) {
  const running = await withDatabase(async (open) => {
    const db = await open();
    const formula = withTerms(await readSoldFormula(db, uid), terms);
    checkSellable(formula);
    await changeFormula(db, formula);
    return countRunning(db, uid);
  });
  console.log(`Formula ${uid} is changed for who buys it from now on; ${unchangedNote(running)}`);
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
function checkSellable({ uid, creditAmount, trialAmount }: Formula) {
  const { defaultFormula, paymentGateway } = readConfig(process.env);
  if (uid === defaultFormula && creditAmount !== undefined) {
    throw new Error(`${uid} is DEFAULT_FORMULA, sold without a token: it cannot carry a credit`);
  }
  if (trialAmount === 0 && paymentGateway === "stripe") {
    throw new Error("A trial cannot be free with Stripe: its page charges 0.50 euros or more");
  }
}

/** Applies the given terms to a formula; `none` removes its trial or credit. */
function withTerms(formula: Formula, terms: Terms): Formula {
  const { trialAmount, trialDuration, trialDurationUnit, creditAmount, ...rest } = formula;
  const known = { trialAmount, trialDuration, trialDurationUnit };
  return dropUndefined({
    ...rest,
    ...(terms.name !== undefined && { name: readName(terms.name) }),
    ...(terms.amount !== undefined && { amount: readEuros("--amount", terms.amount) }),
    ...(terms.period !== undefined && periodOf(readLength("--period", terms.period))),
    ...(terms.trial === "none" ? {} : { ...known, ...trialOf(terms) }),
    creditAmount: creditOf(terms, creditAmount),
  });
}

const periodOf = ({ duration, unit }: Duration) => ({
  periodDuration: duration,
  periodDurationUnit: unit,
});

function trialOf({ trial, "trial-amount": amount }: Terms) {
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
  return { duration: Number(count), unit: unit.data };
}

function lineOf({ formula, retiredAt }: CatalogueEntry): string {
  const { uid, name, amount, creditAmount, periodDuration, periodDurationUnit } = formula;
  const { trialAmount = 0, trialDuration, trialDurationUnit } = formula;
  const parts = [
    uid,
    name ?? uid,
    `${euros(amount)} every ${periodDuration} ${periodDurationUnit}`,
    trialDuration && `trial ${trialDuration} ${trialDurationUnit} ${freeOr(trialAmount)}`,
    creditAmount && `credit ${euros(creditAmount)}`,
    retiredAt && `retired ${retiredAt}`,
  ];
  return parts.filter(Boolean).join("\t");
}

const freeOr = (cents: number) => (cents === 0 ? "free" : euros(cents));

const euros = (cents: number) => `${(cents / 100).toFixed(2)} EUR`;
