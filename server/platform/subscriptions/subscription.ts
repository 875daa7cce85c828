import type { Subscription } from "../../../app/contract/subscriptions";
import type { Database } from "../database/tables";
import { dueReasonOf, findDueSubscription, isLeaving } from "./due";
import type { Subscription as Row } from "./lookup";
import { periodsOf } from "./terms";

/** Reads the newest subscription, running or ended; null when there never was one. */
export async function readNewestSubscription(
  db: Database,
  accountUid: string,
  now: Date,
): Promise<Subscription | null> {
  const row = await findNewestSubscription(db, accountUid);
  return row ? subscriptionPayload(row, now) : null;
}

export async function findNewestSubscription(db: Database, accountUid: string) {
  return db
    .selectFrom("subscription")
    .selectAll()
    .where("account_uid", "=", accountUid)
    .orderBy("started_at", "desc")
    .orderBy("uid", "desc")
    .executeTakeFirst();
}

export function subscriptionPayload(row: Row, now: Date): Subscription {
  const dueReason = dueReasonOf(row, now);
  return {
    reference: row.uid,
    formula: row.formula_uid,
    amount: row.amount,
    period: periodsOf(row).period,
    trialAmount: row.trial_amount,
    credits: row.credits,
    startedDateTime: row.started_at,
    expirationDateTime: row.expires_at,
    cancelledDateTime: row.cancelled_at,
    endedDateTime: row.ended_at,
    ...(isUnpaid(row) && row.grace_until && { graceDateTime: row.grace_until }),
    ...(dueReason && { dueReason }),
  };
}

/** True when the grace applies: a renewal was declined, or the subscription was stopped while unpaid. */
const isUnpaid = ({ renewal_attempts, cancelled_at }: Row) =>
  renewal_attempts > 0 || cancelled_at !== null;

/**
 * Tells whether nothing can be sold to the person: they have a running subscription, or their
 * stopped one has ended and the account will be deleted.
 */
export async function isSubscribed(db: Database, accountUid: string, now: Date): Promise<boolean> {
  const running = await db
    .selectFrom("subscription")
    .select("uid")
    .where("account_uid", "=", accountUid)
    .where("ended_at", "is", null)
    .where((e) => e.fn.coalesce("grace_until", "expires_at"), ">", now.toISOString())
    .executeTakeFirst();
  return running !== undefined || isLeaving(db, accountUid);
}

/**
 * Tells whether a payment would buy nothing. A subscriber can only pay a due period, and
 * that one once.
 */
export async function hasNothingToPay(
  db: Database,
  accountUid: string,
  { due }: { due: { due: string } | null },
  now: Date,
): Promise<boolean> {
  if (!due) return isSubscribed(db, accountUid, now);
  return (await findDueSubscription(db, accountUid, now))?.due !== due.due;
}
