import type { Formula } from "../../../app/contract/subscriptions";
import { reviseContent } from "../database/content-revision";
import type { Database } from "../database/tables";
import type { Clock } from "../ports/clock";
import type { Log } from "../ports/log";
import { LEAST_CHARGE, type PageLimits } from "../ports/payment-gateway";
import { findSoldFormula, formulaOf } from "./formulas";
import { hasDemoDebtor } from "./seed";
import { isCreditVague, whyUnsellable } from "./unsellable";

/** In cents: Stripe charges at most 999,999.99 euros. */
const MOST_CHARGE = 99_999_999;

export type CatalogueEntry = { formula: Formula; retiredAt: string | null };

/** Lists all formulas, retired ones included. */
export async function listFormulas(db: Database): Promise<CatalogueEntry[]> {
  const rows = await db.selectFrom("formula").selectAll().orderBy("uid").execute();
  return rows.map((row) => ({ formula: formulaOf(row), retiredAt: row.retired_at }));
}

/** Lists the formulas that are not sold although nobody retired them, with the reason. */
export async function listUnsellable(db: Database, limits: PageLimits | undefined) {
  return (await listFormulas(db)).flatMap(({ formula, retiredAt }) => {
    const why = retiredAt === null ? whyUnsellable(formula, limits) : null;
    return why === null ? [] : [{ uid: formula.uid, why }];
  });
}

type Start = { db: Database; log: Log; limits: PageLimits | undefined };

export async function warnOfUnsellable({ db, log, limits }: Start) {
  for (const { uid, why } of await listUnsellable(db, limits)) {
    log.warn({ formula: uid }, `not sold: ${why} (npm run formulas -- change ${uid})`);
  }
}

/** @throws Error in one sentence when the uid is taken or the amounts cannot be charged */
export async function addFormula(db: Database, formula: Formula) {
  checkFormula(formula);
  const added = await db
    .insertInto("formula")
    .values({ uid: formula.uid, ...columnsOf(formula) })
    .onConflict((conflict) => conflict.column("uid").doNothing())
    .returning("uid")
    .executeTakeFirst();
  if (!added) throw new Error(`The formula ${formula.uid} exists already`);
  await reviseContent(db);
}

/**
 * Changes a formula for new purchases; contracts and started payments keep their terms.
 * @throws Error in one sentence when the formula is not sold or the amounts cannot be charged
 */
export async function changeFormula(db: Database, formula: Formula) {
  checkFormula(formula);
  const changed = await db
    .updateTable("formula")
    .set(columnsOf(formula))
    .where("uid", "=", formula.uid)
    .where("retired_at", "is", null)
    .returning("uid")
    .executeTakeFirst();
  if (!changed) throw notSold(formula.uid);
  await reviseContent(db);
}

/**
 * Makes a formula of the demonstration the owner's, as it is.
 * @throws Error in one sentence when it is not sold, or when a company that does not exist pays its credit
 */
export async function confirmFormula({ db, clock }: { db: Database; clock: Clock }, uid: string) {
  const { creditTerms } = await readSoldFormula(db, uid);
  if (hasDemoDebtor({ credit_debtor: creditTerms?.debtor ?? null })) {
    throw new Error(
      `${creditTerms?.debtor} pays no credit: change ${uid} with --credit-debtor, or retire it`,
    );
  }
  await db
    .updateTable("formula")
    .set({ confirmed_at: clock.now().toISOString() })
    .where("uid", "=", uid)
    .execute();
}

/** Retires a formula and thereby its traffic tokens; contracts go on. */
export async function retireFormula({ db, clock }: { db: Database; clock: Clock }, uid: string) {
  const retired = await db
    .updateTable("formula")
    .set({ retired_at: clock.now().toISOString() })
    .where("uid", "=", uid)
    .where("retired_at", "is", null)
    .returning("uid")
    .executeTakeFirst();
  if (!retired) throw notSold(uid);
  await reviseContent(db);
}

/** @throws Error in one sentence when the formula is not sold */
export async function readSoldFormula(db: Database, uid: string): Promise<Formula> {
  const formula = await findSoldFormula(db, uid);
  if (!formula) throw notSold(uid);
  return formula;
}

const notSold = (uid: string) => new Error(`Unknown formula, or not sold any more: ${uid}`);

/** Checks that all amounts can be charged; only a trial may be free. */
function checkFormula(formula: Formula) {
  const { amount, trialAmount, trialDuration, creditAmount, creditTerms } = formula;
  checkCharge("The amount", amount);
  if ((trialAmount === undefined) !== (trialDuration === undefined)) {
    throw new Error("A trial needs both a duration and an amount, or free");
  }
  if (trialAmount !== undefined && trialAmount !== 0) checkCharge("The trial", trialAmount);
  if (creditAmount === 0) throw new Error("A credit of 0 is none: leave it out");
  if (isCreditVague(formula)) throw new Error("A credit needs its conditions, all of them");
  if (creditTerms && creditAmount === undefined) {
    throw new Error("Conditions of a credit need the credit itself");
  }
}

function checkCharge(what: string, cents: number) {
  if (cents >= LEAST_CHARGE && cents <= MOST_CHARGE) return;
  throw new Error(`${what} cannot be charged: it must be 0.50 to 999999.99 euros`);
}

function columnsOf(formula: Formula) {
  return {
    name: formula.name ?? formula.uid,
    amount: formula.amount,
    trial_amount: formula.trialAmount ?? null,
    credit_amount: formula.creditAmount ?? null,
    credit_debtor: formula.creditTerms?.debtor ?? null,
    credit_way: formula.creditTerms?.way ?? null,
    credit_delay_days: formula.creditTerms?.delayDays ?? null,
    credit_delay_after: formula.creditTerms?.delayAfter ?? null,
    credit_conditions: formula.creditTerms?.conditions ?? null,
    trial_duration: formula.trialDuration ?? null,
    trial_duration_unit: formula.trialDurationUnit ?? null,
    period_duration: formula.periodDuration,
    period_duration_unit: formula.periodDurationUnit,
  };
}
