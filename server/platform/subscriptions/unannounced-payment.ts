import type { Database } from "../database/tables";
import type { SubscriptionRow } from "../database/subscription-row";

/**
 * Selects the payments of periods that were running between these moments, and were renewed without their notice;
 * the earliest first.
 */
export const selectUnannounced = (
  db: Database,
  { uid }: Pick<SubscriptionRow, "uid">,
  { from, to }: { from: string; to: string },
) =>
  db
    .selectFrom("payment")
    .select("uid")
    .where("subscription_uid", "=", uid)
    .where("unannounced", "=", 1)
    .where("status", "=", "success")
    .where("period_start", "is not", null)
    .where("covers_from", "<=", to)
    .where("covers_until", ">", from)
    .orderBy("covers_from");
