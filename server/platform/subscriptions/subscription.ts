import type { Subscription } from "../../../app/contract/subscriptions";
import type { Database } from "../database/tables";
import type { Calendar } from "../../../app/contract/periods";
import { dueReasonOf, dueSubscription, isLeaving, type Books } from "./due";
import type { Subscription as Row } from "./lookup";
import { periodsOf } from "./terms";

/** The dates of a person's subscription, running or not; null for who never had one. */
export async function newestSubscription(
  db: Database,
  accountUid: string,
): Promise<Omit<Subscription, "dueReason"> | null> {
  const row = await findNewest(db, accountUid);
  return row ? factsOf(row) : null;
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

export function subscriptionAnswer(row: Row, now: Date, calendar: Calendar): Subscription {
  const dueReason = dueReasonOf(row, now, calendar);
  return { ...factsOf(row), ...(dueReason && { dueReason }) };
}

function factsOf(row: Row) {
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
  };
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
  books: Books,
  accountUid: string,
  { due }: { due: { due: string } | null },
  now: Date,
): Promise<boolean> {
  if (!due) return isSubscribed(books.db, accountUid, now);
  return (await dueSubscription(books, accountUid, now))?.due !== due.due;
}
