import { DAY_MS } from "../ports/durations";
import { isExpired } from "../../../app/contract/card";
import type { DueContract } from "../../../app/contract/offer";
import type { DueReason } from "../../../app/contract/subscriptions";
import type { Database } from "../database/tables";
import { findRunning, type Subscription } from "./lookup";
import { hasUndecidedPayment } from "./store";
import { periodsOf } from "./terms";

/** A subscription with a period to pay on a page; the period begins at `due`. */
export type DueSubscription = { uid: string; due: string; contract: DueContract };

/**
 * Finds the period that a person in grace must pay, or may pay early because the card
 * expires. Null when nothing is to be paid or the renewal is undecided. The card that pays is used
 * for later renewals.
 */
export async function findDueSubscription(
  db: Database,
  accountUid: string,
  now: Date,
): Promise<DueSubscription | null> {
  const subscription = await findRunning(db, accountUid);
  if (!subscription || dueReasonOf(subscription, now) === null) return null;
  // Without access yet, the person has just paid.
  if (subscription.activates_at > now.toISOString()) return null;
  if (await hasUndecidedPayment(db, subscription, ["renewal"])) return null;
  const { uid, formula_uid: formula, amount, expires_at } = subscription;
  const name = await nameOf(db, formula);
  const contract = { ...periodsOf(subscription), formula, name, amount, due: new Date(expires_at) };
  return { uid, due: expires_at, contract };
}

async function nameOf(db: Database, formula: string): Promise<string | undefined> {
  const row = await db
    .selectFrom("formula")
    .select("name")
    .where("uid", "=", formula)
    .executeTakeFirst();
  return row?.name;
}

/** The reason why the due period can be paid on a page; null when nothing is to be paid. */
export function dueReasonOf(subscription: Subscription, now: Date): DueReason | null {
  const { renewal_attempts, renewal_needs, cancelled_at, ended_at } = subscription;
  if (ended_at !== null || cancelled_at !== null) return null;
  if ((subscription.grace_until ?? "") <= now.toISOString()) return null;
  if (renewal_attempts > 0) return renewal_needs ?? "declined";
  return isCardExpiredAtRenewal(subscription) && isNear(subscription, now) ? "expiring" : null;
}

/** Tells whether the card will have expired at the next renewal. */
export function isCardExpiredAtRenewal({ card_expiry, expires_at }: Subscription): boolean {
  if (card_expiry === null) return false;
  const [year, month] = card_expiry.split("-").map(Number);
  return year !== undefined && month !== undefined
    ? isExpired({ month, year }, new Date(expires_at))
    : false;
}

/** Days before the debit when another card is requested. */
export const CARD_NOTICE_DAYS = 14;

const isNear = ({ expires_at }: Subscription, now: Date) =>
  Date.parse(expires_at) - now.getTime() <= CARD_NOTICE_DAYS * DAY_MS;

/** Tells whether the stopped subscription has ended and the account will be deleted: nothing is sold. */
export async function isLeaving(db: Database, accountUid: string): Promise<boolean> {
  const stopped = await findStopped(db, accountUid);
  return stopped !== undefined && stopped.ended_at !== null;
}

/** Finds the newest subscription of an account if its renewal is stopped. */
export async function findStopped(db: Database, accountUid: string) {
  const newest = await db
    .selectFrom("subscription")
    .select(["cancelled_at", "ended_at", "expires_at", "grace_until"])
    .where("account_uid", "=", accountUid)
    .orderBy("started_at", "desc")
    .orderBy("uid", "desc")
    .executeTakeFirst();
  return newest?.cancelled_at ? newest : undefined;
}
