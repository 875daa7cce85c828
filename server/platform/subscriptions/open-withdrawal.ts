import type { SubscriptionRow } from "../database/subscription-row";
import type { Database } from "../database/tables";
import type { SubscriptionContext } from "./context";
import { isApplied } from "./pending-notices";
import { withdrawableUntil } from "./withdrawal-deadline";

/**
 * Whether a withdrawal waits for its end: it can be undone, or its job has still to apply it. One that came too
 * late is linked to its contract, too.
 */
export async function isWithdrawalOpen(db: Database, subscriptionUid: string): Promise<boolean> {
  const notice = await db
    .selectFrom("contract_notice")
    .select("uid")
    .where("subscription_uid", "=", subscriptionUid)
    .where("kind", "=", "withdrawal")
    .where("undone_at", "is", null)
    .where("settled_at", "is", null)
    .where((e) => e.or([e("undo_until", "is not", null), e.not(isApplied)]))
    .executeTakeFirst();
  return notice !== undefined;
}

/** Until when a letter names the right to withdraw: not where an open withdrawal has the same effect. */
export async function readRightUntil(
  { db, clock }: Pick<SubscriptionContext, "db" | "clock">,
  subscription: SubscriptionRow,
): Promise<string | null> {
  if (await isWithdrawalOpen(db, subscription.uid)) return null;
  return withdrawableUntil(subscription, clock.now());
}
