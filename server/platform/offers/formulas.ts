import { durationUnit, type Formula } from "../../../app/contract/subscriptions";
import type { Database } from "../database/tables";

/** Only non-empty fields are kept. */
export async function findFormula(db: Database, uid: string): Promise<Formula | null> {
  const row = await db.selectFrom("formula").selectAll().where("uid", "=", uid).executeTakeFirst();
  if (!row) return null;
  return {
    uid: row.uid,
    name: row.name,
    amount: row.amount,
    ...(row.trial_amount !== null && { trialAmount: row.trial_amount }),
    ...(row.credit_amount !== null && { creditAmount: row.credit_amount }),
    ...(row.trial_duration !== null && { trialDuration: row.trial_duration }),
    ...(row.trial_duration_unit !== null && {
      trialDurationUnit: durationUnit.parse(row.trial_duration_unit),
    }),
    periodDuration: row.period_duration,
    periodDurationUnit: durationUnit.parse(row.period_duration_unit),
  };
}

/** What the first payment costs: the trial where there is one. */
export const firstAmount = ({ trialAmount, amount }: Formula) => trialAmount ?? amount;
