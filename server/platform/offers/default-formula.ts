import type { Database } from "../database/tables";

/**
 * Checks that the formula of the plain registration exists; without it nobody can register.
 * @throws Error in one sentence when the database has no such formula
 */
export async function checkDefaultFormula(db: Database, uid: string) {
  const rows = await db.selectFrom("formula").select("uid").orderBy("uid").execute();
  const known = rows.map((formula) => formula.uid);
  if (known.includes(uid)) return;
  const some = known.slice(0, SHOWN).join(", ");
  throw new Error(`DEFAULT_FORMULA: there is no formula ${uid}; give one that there is: ${some}`);
}

const SHOWN = 10;
