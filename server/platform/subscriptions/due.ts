import { isExpired } from "../../../app/contract/card";
import type { Calendar } from "../../../app/contract/periods";
import type { DueContract } from "../../../app/contract/offer";
import type { DueReason } from "../../../app/contract/subscriptions";
import type { Database } from "../database/tables";
import { findRunning } from "./lookup";
import { selectNewestFirst, type SubscriptionRow } from "../database/subscription-row";
import { asStopped, endsWithPaidPeriod, findNextStop } from "./planned-stop";
import { hasClaim } from "../money/claims";
import { hasBegunRenewal } from "../money/undecided-debit";
import { findContractName } from "../money/contract-name";
import { dueOf } from "./contract-periods";

/** A subscription with a period to pay on a page; the period begins at `due`. */
export type DueSubscription = { uid: string; due: string; contract: DueContract };

/** The database and the calendar by which periods are counted. */
export type DueContext = { db: Database; calendar: Calendar };

/**
 * Finds the period that a person in grace has to pay, or may pay early because their card
 * expires. Null when nothing is due, or while a charge of the renewal has begun. The card that pays
 * is also charged for the next renewals.
 */
export async function findDueSubscription(
  { db, calendar }: DueContext,
  accountUid: string,
  now: Date,
): Promise<DueSubscription | null> {
  const running = await findRunning(db, accountUid);
  const subscription = running && (await asStopped(db, running, now));
  if (!subscription || dueReasonOf(subscription, now, calendar) === null) return null;
  // A subscription that is not active yet has just been paid.
  if (subscription.activates_at > now.toISOString()) return null;
  if (await hasBegunRenewal(db, subscription)) return null;
  if (await endsWithPaidPeriod(db, subscription, now)) return null;
  const { uid, expires_at: due } = subscription;
  return { uid, due, contract: await dueContract(db, subscription) };
}

/** The terms on which the next period of a contract is paid. */
export async function dueContract(
  db: Database,
  subscription: SubscriptionRow,
): Promise<DueContract> {
  const { formula_uid: formula, amount } = subscription;
  const name = await findContractName(db, subscription);
  const stop = await findNextStop(db, subscription);
  const stopsAt = stop && new Date(stop.stopsAt);
  const isClaimed = await hasClaim(db, subscription);
  const terms = { ...dueOf(subscription), formula, name, amount, stopsAt };
  return isClaimed ? { ...terms, paidByHand: true } : terms;
}

/** The reason why the due period can be paid on a page. Null when it cannot. */
export function dueReasonOf(
  subscription: SubscriptionRow,
  now: Date,
  calendar: Calendar,
): DueReason | null {
  const { renewal_attempts, renewal_needs, cancelled_at, ended_at } = subscription;
  if (ended_at !== null || cancelled_at !== null) return null;
  if ((subscription.grace_until ?? "") <= now.toISOString()) return null;
  const isNear = cardNoticeAt(subscription, calendar) <= now;
  if (hasNoCard(subscription)) return renewal_attempts > 0 || isNear ? "missing" : null;
  if (renewal_attempts > 0) return renewal_needs ?? "declined";
  return isCardExpiredAtRenewal(subscription) && isNear ? "expiring" : null;
}

/** Whether no card can be charged: it was removed, or a payment is disputed. */
export const hasNoCard = ({ card_reference }: Pick<SubscriptionRow, "card_reference">) =>
  card_reference === null;

/** Whether a contract may end before a planned day: its renewal is unpaid, or no card can be charged. */
export const mayEndUnpaid = (subscription: SubscriptionRow, now: Date): boolean =>
  subscription.expires_at <= now.toISOString() ||
  subscription.renewal_attempts > 0 ||
  hasNoCard(subscription);

/** Whether the card that is charged next has expired by then. */
export function isCardExpiredAtRenewal({ card_expiry, expires_at }: SubscriptionRow): boolean {
  if (card_expiry === null) return false;
  const [year, month] = card_expiry.split("-").map(Number);
  return year !== undefined && month !== undefined
    ? isExpired({ month, year }, new Date(expires_at))
    : false;
}

/** Days before the debit when another card is requested. */
const CARD_NOTICE_DAYS = 14;

/** When the mail that asks for another card is sent. From then on the payment page accepts one. */
export const cardNoticeAt = (
  { expires_at }: Pick<SubscriptionRow, "expires_at">,
  calendar: Calendar,
): Date => calendar(new Date(expires_at), -CARD_NOTICE_DAYS, "day");

/** Whether a stopped subscription has ended, so that the account will be deleted and cannot buy. */
export async function isLeaving(db: Database, accountUid: string): Promise<boolean> {
  const stopped = await findStopped(db, accountUid);
  return stopped !== undefined && stopped.ended_at !== null;
}

/** Finds the newest subscription of an account if its renewal is stopped. */
export async function findStopped(db: Database, accountUid: string) {
  const newest = await selectNewestFirst(db, accountUid).selectAll().executeTakeFirst();
  return newest?.cancelled_at ? newest : undefined;
}
