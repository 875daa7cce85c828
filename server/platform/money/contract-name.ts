import type { Database } from "../database/tables";
import { findFormula } from "../offers/formulas";
import type { SubscriptionRow } from "../database/subscription-row";
import { findPayment, offerOfPayment } from "./payments";

/**
 * The name under which a contract was ordered. One that its formula is given later belongs to what is
 * sold from then on.
 */
export async function findContractName(
  db: Database,
  { payment_uid, formula_uid }: Pick<SubscriptionRow, "payment_uid" | "formula_uid">,
): Promise<string> {
  const order = await findPayment(db, payment_uid);
  const ordered = order && offerOfPayment(order)?.name;
  return ordered ?? (await findFormula(db, formula_uid))?.name ?? formula_uid;
}
