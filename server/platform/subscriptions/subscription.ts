import type { Subscription } from "../../../app/contract/subscriptions";
import type { Database } from "../database/tables";
import type { Calendar } from "../../../app/contract/periods";
import {
  cardNoticeAt,
  dueReasonOf,
  findDueSubscription,
  hasNoCard,
  isLeaving,
  type DueContext,
} from "./due";
import { findRunning, isOnHold } from "./lookup";
import { selectNewestFirst, type SubscriptionRow } from "../database/subscription-row";
import { asStopped } from "./planned-stop";
import { givesAccess } from "./roles";
import { findUndecidedDebit, hasBegunRenewal } from "../money/undecided-debit";
import { periodsOf } from "./contract-periods";

/** The newest subscription, running or not, as a planned stop that is due leaves it. */
export async function findNewestSubscription(db: Database, accountUid: string, now: Date) {
  const row = await selectNewestFirst(db, accountUid).selectAll().executeTakeFirst();
  return row && asStopped(db, row, now);
}

export function subscriptionPayload(
  row: SubscriptionRow,
  now: Date,
  calendar: Calendar,
): Subscription {
  const dueReason = dueReasonOf(row, now, calendar);
  const mayGoOn = row.cancelled_at === null && isOnHold(row, now);
  return {
    ...factsOf(row),
    ...(mayGoOn && { holdUntilDateTime: row.expires_at }),
    ...(dueReason && { dueReason }),
    ...cardMissing(row, calendar),
  };
}

export function factsOf(row: SubscriptionRow) {
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

type BegunDebit = Pick<Subscription, "graceDateTime" | "isDebitUndecided" | "isDebitDelayed">;

/**
 * A debit of the due period that has begun, and how long access lasts without its outcome: undecided at the bank,
 * or delayed because the provider could not be asked for it. A stop calls only the second one off.
 */
export async function findBegunDebit(
  db: Database,
  row: SubscriptionRow,
  now: Date,
): Promise<BegunDebit | null> {
  const { ended_at, cancelled_at, expires_at, grace_until } = row;
  if (ended_at !== null) return null;
  const isPaid = expires_at > now.toISOString();
  const graceDateTime = isPaid ? expires_at : (grace_until ?? expires_at);
  if (await findUndecidedDebit(db, row)) return { graceDateTime, isDebitUndecided: true };
  if (cancelled_at !== null || !(await hasBegunRenewal(db, row))) return null;
  return { graceDateTime, isDebitDelayed: true };
}

function cardMissing(row: SubscriptionRow, calendar: Calendar) {
  const { ended_at, cancelled_at, grace_until } = row;
  if (!hasNoCard(row) || ended_at !== null || cancelled_at !== null || !grace_until) return {};
  const payFromDateTime = cardNoticeAt(row, calendar).toISOString();
  return { cardMissing: { payFromDateTime, payUntilDateTime: grace_until } };
}

/** True when the grace applies: a renewal was declined, or the subscription was stopped while unpaid. */
const isUnpaid = ({ renewal_attempts, cancelled_at }: SubscriptionRow) =>
  renewal_attempts > 0 || cancelled_at !== null;

/**
 * Tells whether nothing can be sold to the person: they have a running subscription, or their
 * stopped one has ended and the account will be deleted.
 */
async function isSubscribed(db: Database, accountUid: string, now: Date): Promise<boolean> {
  const running = await findRunning(db, accountUid);
  if (running && (await givesAccess(db, running, now))) return true;
  return isLeaving(db, accountUid);
}

/**
 * Tells whether a payment would buy nothing. A subscriber can only pay a due period, and
 * that one once.
 */
export async function hasNothingToPay(
  context: DueContext,
  accountUid: string,
  { due }: { due: { due: string } | null },
  now: Date,
): Promise<boolean> {
  if (!due) return isSubscribed(context.db, accountUid, now);
  return (await findDueSubscription(context, accountUid, now))?.due !== due.due;
}
