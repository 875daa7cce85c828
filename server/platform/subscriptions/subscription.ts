import type { Subscription } from "../../../app/contract/subscriptions";
import type { Database } from "../database/tables";
import { dueReasonOf, dueSubscription, hasNoCard, isLeaving, payableFrom } from "./due";
import type { Subscription as Row } from "./lookup";
import { periodsOf } from "./terms";

/** The person's subscription, running or not; null for who never had one. */
export async function newestSubscription(
  db: Database,
  accountUid: string,
  now: Date,
): Promise<Subscription | null> {
  const row = await findNewest(db, accountUid);
  return row ? subscriptionAnswer(row, now) : null;
}

export async function findNewest(db: Database, accountUid: string) {
  return db
    .selectFrom("subscription")
    .selectAll()
    .where("account_uid", "=", accountUid)
    .orderBy("started_at", "desc")
    .orderBy("uid", "desc")
    .executeTakeFirst();
}

export function subscriptionAnswer(row: Row, now: Date): Subscription {
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
    ...cardMissing(row),
  };
}

function cardMissing(row: Row) {
  const { ended_at, cancelled_at, grace_until } = row;
  if (!hasNoCard(row) || ended_at !== null || cancelled_at !== null || !grace_until) return {};
  const payFromDateTime = payableFrom(row).toISOString();
  return { cardMissing: { payFromDateTime, payUntilDateTime: grace_until } };
}

/** What was stopped in time has no grace. */
const isUnpaid = ({ renewal_attempts, cancelled_at }: Row) =>
  renewal_attempts > 0 || cancelled_at !== null;

/**
 * Whether the person pays for something now: a second subscription is never sold. Nor is one to who
 * has stopped and whose profile is about to be deleted.
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
 * Whether a payment would buy nothing: a subscriber pays only for a period whose renewal was declined
 * and for that one once.
 */
export async function hasNothingToPay(
  db: Database,
  accountUid: string,
  { due }: { due: { due: string } | null },
  now: Date,
): Promise<boolean> {
  if (!due) return isSubscribed(db, accountUid, now);
  return (await dueSubscription(db, accountUid, now))?.due !== due.due;
}
