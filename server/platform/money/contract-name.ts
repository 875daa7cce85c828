import { offer } from "../../../app/contract/subscriptions";
import type { Database } from "../database/tables";
import { findFormula } from "../offers/formulas";
import type { SubscriptionRow } from "../database/subscription-row";

/** Of an order, each read of a contract needs its name alone. */
const orderedName = offer.pick({ name: true });

/**
 * The name under which a contract was ordered. One that its formula is given later belongs to what is
 * sold from then on.
 */
export async function findContractName(
  db: Database,
  { payment_uid, formula_uid }: Pick<SubscriptionRow, "payment_uid" | "formula_uid">,
): Promise<string> {
  const order = await db
    .selectFrom("payment")
    .select("offer")
    .where("uid", "=", payment_uid)
    .executeTakeFirst();
  const ordered = order?.offer && orderedName.parse(JSON.parse(order.offer)).name;
  return ordered ?? (await findFormula(db, formula_uid))?.name ?? formula_uid;
}
