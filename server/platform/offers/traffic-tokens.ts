import type { TrafficToken } from "../../../app/contract/subscriptions";
import type { Database } from "../database/tables";
import { findSoldFormula } from "./formulas";

export async function findTrafficToken(db: Database, value: string): Promise<TrafficToken | null> {
  const row = await db
    .selectFrom("traffic_token")
    .selectAll()
    .where("value", "=", value)
    .executeTakeFirst();
  if (!row) return null;
  const isSold = (await findSoldFormula(db, row.formula_uid)) !== null;
  return { value: row.value, isValid: row.is_valid === 1 && isSold, formula: row.formula_uid };
}

/** @throws Error in one sentence for an unknown formula or a token that exists */
export async function addTrafficToken(db: Database, value: string, formula: string) {
  if (!(await findSoldFormula(db, formula))) throw new Error(`Unknown formula: ${formula}`);
  const added = await db
    .insertInto("traffic_token")
    .values({ value, formula_uid: formula, is_valid: 1 })
    .onConflict((conflict) => conflict.column("value").doNothing())
    .returning("value")
    .executeTakeFirst();
  if (!added) throw new Error(`The traffic token ${value} exists already`);
}

/** @throws Error in one sentence for a token that opens nothing */
export async function retireTrafficToken(db: Database, value: string) {
  const retired = await db
    .updateTable("traffic_token")
    .set({ is_valid: 0 })
    .where("value", "=", value)
    .where("is_valid", "=", 1)
    .returning("value")
    .executeTakeFirst();
  if (!retired) throw new Error(`Unknown traffic token, or retired already: ${value}`);
}
