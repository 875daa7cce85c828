import { isExpired } from "../../../app/contract/card";
import type { Calendar } from "../../../app/contract/periods";
import type { DueContract } from "../../../app/contract/offer";
import type { DueReason } from "../../../app/contract/subscriptions";
import type { Database } from "../database/tables";
import { findRunning, type Subscription } from "./lookup";
import { hasUndecided } from "./store";
import { periodsOf } from "./terms";

/** A subscription that waits for another card, which pays for the period that begins at `due`. */
export type DueSubscription = { uid: string; due: string; contract: DueContract };

/** Where contracts are kept, and how long what they name lasts. */
export type Books = { db: Database; calendar: Calendar };

/**
 * What a person in grace has to pay, or may pay early because their card expires; null for
 * who has nothing to pay or whose renewal is being decided. The card that pays is charged next.
 */
export async function dueSubscription(
  { db, calendar }: Books,
  accountUid: string,
  now: Date,
): Promise<DueSubscription | null> {
  const subscription = await findRunning(db, accountUid);
  if (!subscription || dueReasonOf(subscription, now, calendar) === null) return null;
  // Whoever has no access yet has just paid.
  if (subscription.activates_at > now.toISOString()) return null;
  if (await hasUndecided(db, subscription, ["renewal"])) return null;
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

/** Why a page may pay the period that is due; null where nothing is to be paid. */
export function dueReasonOf(
  subscription: Subscription,
  now: Date,
  calendar: Calendar,
): DueReason | null {
  const { renewal_attempts, renewal_needs, cancelled_at, ended_at } = subscription;
  if (ended_at !== null || cancelled_at !== null) return null;
  if ((subscription.grace_until ?? "") <= now.toISOString()) return null;
  if (renewal_attempts > 0) return renewal_needs ?? "declined";
  return outlivesCard(subscription) && isNear(subscription, now, calendar) ? "expiring" : null;
}

/** Whether the card that is charged next has expired by then. */
export function outlivesCard({ card_expiry, expires_at }: Subscription): boolean {
  if (card_expiry === null) return false;
  const [year, month] = card_expiry.split("-").map(Number);
  return year !== undefined && month !== undefined
    ? isExpired({ month, year }, new Date(expires_at))
    : false;
}

/** Days before the debit on which another card is asked for. */
const CARD_NOTICE_DAYS = 14;

/** When another card is asked for: from then on the page of the mail takes it. */
export const cardNoticeAt = ({ expires_at }: Subscription, calendar: Calendar): Date =>
  calendar(new Date(expires_at), -CARD_NOTICE_DAYS, "day");

const isNear = (subscription: Subscription, now: Date, calendar: Calendar) =>
  cardNoticeAt(subscription, calendar) <= now;

/** Whether a stopped subscription is over and the profile about to be deleted: nothing is sold. */
export async function isLeaving(db: Database, accountUid: string): Promise<boolean> {
  const stopped = await findStopped(db, accountUid);
  return stopped !== undefined && stopped.ended_at !== null;
}

/** The newest subscription of an account if it is not renewed any more. */
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
