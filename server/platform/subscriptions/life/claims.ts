import type { Database } from "../../database/tables";
import type { Subscription } from "./store";

/** Whether a payment of a contract is claimed back, or was so with success. */
export async function hasClaim(db: Database, { uid, payment_uid }: Subscription): Promise<boolean> {
  const claim = await db
    .selectFrom("payment_claim")
    .innerJoin("payment", "payment.uid", "payment_claim.payment_uid")
    .select("payment_claim.reference")
    .where((e) =>
      e.or([e("payment.uid", "=", payment_uid), e("payment.subscription_uid", "=", uid)]),
    )
    .where("payment_claim.status", "!=", "won")
    .executeTakeFirst();
  return claim !== undefined;
}
