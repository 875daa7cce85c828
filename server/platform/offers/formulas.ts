import { creditTerms, durationUnit, type Formula } from "../../../app/contract/subscriptions";
import type { Database, Tables } from "../database/tables";

/** Finds a formula, also a retired one, because contracts refer to it. Empty fields are omitted. */
export async function findFormula(db: Database, uid: string): Promise<Formula | null> {
  const row = await findRow(db, uid);
  return row ? formulaOf(row) : null;
}

/** Finds a formula that is sold now; null for a retired one. */
export async function findSoldFormula(db: Database, uid: string): Promise<Formula | null> {
  const row = await findRow(db, uid);
  return row && row.retired_at === null ? formulaOf(row) : null;
}

export function formulaOf(row: Tables["formula"]): Formula {
  return {
    uid: row.uid,
    name: row.name,
    amount: row.amount,
    ...(row.trial_amount !== null && { trialAmount: row.trial_amount }),
    ...(row.credit_amount !== null && { creditAmount: row.credit_amount }),
    ...creditTermsOf(row),
    ...(row.trial_duration !== null && { trialDuration: row.trial_duration }),
    ...(row.trial_duration_unit !== null && {
      trialDurationUnit: durationUnit.parse(row.trial_duration_unit),
    }),
    periodDuration: row.period_duration,
    periodDurationUnit: durationUnit.parse(row.period_duration_unit),
  };
}

function creditTermsOf(row: Tables["formula"]): Pick<Formula, "creditTerms"> {
  const terms = creditTerms.safeParse({
    debtor: row.credit_debtor,
    way: row.credit_way,
    delayDays: row.credit_delay_days,
    delayAfter: row.credit_delay_after,
    conditions: row.credit_conditions,
  });
  return row.credit_amount !== null && terms.success ? { creditTerms: terms.data } : {};
}

function findRow(db: Database, uid: string) {
  return db.selectFrom("formula").selectAll().where("uid", "=", uid).executeTakeFirst();
}
