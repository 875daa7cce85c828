import type { Database } from "../../database/tables";
import { findRunning, hasUndecided, type Subscription } from "./store";

/** A subscription whose renewal was declined: another card pays `amount` for the period `due`. */
export type DueSubscription = { uid: string; formulaUid: string; amount: number; due: string };

/**
 * What a person in grace has to pay to go on; null for who has nothing to pay or whose
 * renewal is being decided. A payment of kind `first` that carries `subscription_uid: uid` and
 * `period_start: due` renews the subscription and makes its card the one charged next.
 */
export async function dueSubscription(
  db: Database,
  accountUid: string,
  now: Date,
): Promise<DueSubscription | null> {
  const subscription = await findRunning(db, accountUid);
  if (!subscription || !isUnpaid(subscription, now)) return null;
  if (await hasUndecided(db, subscription, ["renewal"])) return null;
  const { uid, formula_uid: formulaUid, amount, expires_at: due } = subscription;
  return { uid, formulaUid, amount, due };
}

function isUnpaid(subscription: Subscription, now: Date) {
  const { renewal_attempts, cancelled_at, grace_until } = subscription;
  return renewal_attempts > 0 && cancelled_at === null && (grace_until ?? "") > now.toISOString();
}

/** Whether a stopped subscription is over and the profile about to be deleted: nothing is sold. */
export async function isLeaving(db: Database, accountUid: string): Promise<boolean> {
  const stopped = await findStopped(db, accountUid);
  return stopped !== undefined && stopped.ended_at !== null;
}

/** The newest subscription of an account if it is not renewed any more. */
export async function findStopped(db: Database, accountUid: string) {
  const newest = await db
    .selectFrom("subscription")
    .select(["cancelled_at", "ended_at", "expires_at"])
    .where("account_uid", "=", accountUid)
    .orderBy("started_at", "desc")
    .orderBy("uid", "desc")
    .executeTakeFirst();
  return newest?.cancelled_at ? newest : undefined;
}
