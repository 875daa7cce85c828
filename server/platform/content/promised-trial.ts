import { trialOf } from "../../../app/contract/offer";
import type { Database } from "../database/tables";
import { findSoldFormula } from "../offers/formulas";

/** `un essai`, `l’essai`, but not `essayer`. */
const TRIAL = /(?<!\p{L})essais?(?!\p{L})/iu;

/** Whether the home page speaks of a trial, and the formula that it leads to has none. */
export async function promisesMissingTrial(db: Database, uid: string): Promise<boolean> {
  const formula = await findSoldFormula(db, uid);
  if (!formula || trialOf(formula)) return false;
  const page = await db
    .selectFrom("page")
    .select(["title", "summary", "body"])
    .where("uid", "=", "home")
    .executeTakeFirst();
  return page !== undefined && Object.values(page).some((text) => TRIAL.test(text));
}
