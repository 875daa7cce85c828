import { firstPeriodEnd, graceAfter } from "../../../app/contract/periods";
import { inTransaction } from "../database/transaction";
import {
  announcePostponed,
  findUnsent,
  isAnnounced,
  readDatedKey,
  type AnnouncementKind,
} from "./announcement-mails";
import type { SubscriptionContext } from "./context";
import { isInTrial, needsRenewalNotice } from "./contract-periods";
import { hasNoCard } from "./due";
import { lockSubscription, type Subscription } from "./lookup";
import { findPayment, offerOfPayment } from "./payments";
import { recordPeriod } from "./paid-period";
import { schedulePeriod, trialNoticeAt, wasCharged } from "./schedule";
import { findUndecidedPayment, updateSubscription } from "./store";

/** The law wants the notice a month before the debit, at the latest (L215-1). */
export const LEAST_NOTICE_MONTHS = 1;

/**
 * Postpones a debit that is due and was not announced, because of a standstill or because no mails go
 * out: by a month for a renewal that the law wants announced (L215-1), by the days of its reminder for the
 * end of a trial. Access goes on meanwhile.
 * @returns whether the debit was postponed
 */
export async function postponeUnannouncedDebit(
  context: SubscriptionContext,
  subscription: Subscription,
): Promise<boolean> {
  if (hasNoCard(subscription) || (await wasCharged(context.db, subscription))) return false;
  const kind = await findMissing(context, subscription);
  if (!kind) return false;
  await postpone(context, subscription, kind, await earliestDebit(context, subscription, kind));
  return true;
}

/**
 * Called before each try to send a mail: an announcement that goes out late moves its debit, and names the
 * date that counts from its sending.
 */
export async function postponeLateDebit(context: SubscriptionContext, key: string): Promise<void> {
  const read = readDatedKey(key);
  if (!read) return;
  const { kind, uid, due } = read;
  await inTransaction(context, async (context) => {
    const subscription = await lockSubscription(context.db, uid);
    if (!subscription || !(await isStillToCome(context, subscription, due))) return;
    const until = await earliestDebit(context, subscription, kind);
    if (until.toISOString() > due) await postpone(context, subscription, kind, until);
  });
}

/** Whether a debit is to be made by itself, and nobody pays it on a page. */
async function isStillToCome(
  { db }: SubscriptionContext,
  subscription: Subscription,
  due: string,
): Promise<boolean> {
  const { ended_at, cancelled_at, expires_at } = subscription;
  if (ended_at !== null || cancelled_at !== null || expires_at !== due) return false;
  if (hasNoCard(subscription) || (await wasCharged(db, subscription))) return false;
  return !(await findUndecidedPayment(db, subscription));
}

/** The announcement that the next debit has to wait for; null when all is told. */
async function findMissing(
  { db, calendar }: SubscriptionContext,
  subscription: Subscription,
): Promise<AnnouncementKind | null> {
  const needsNotice = needsRenewalNotice(subscription, calendar);
  if (needsNotice && !(await isAnnounced(db, "renewal-notice", subscription))) {
    return "renewal-notice";
  }
  const isLeftOut =
    isInTrial(subscription) && !(await isAnnounced(db, "trial-ending", subscription));
  return isLeftOut ? "trial-ending" : null;
}

/** The first moment for a debit that is announced now. */
async function earliestDebit(
  context: SubscriptionContext,
  subscription: Subscription,
  kind: AnnouncementKind,
): Promise<Date> {
  const { calendar, clock } = context;
  return kind === "renewal-notice"
    ? calendar(clock.now(), LEAST_NOTICE_MONTHS, "month")
    : new Date(clock.now().getTime() + (await reminderTime(context, subscription)));
}

/** How long before its end a trial is reminded of: that of the trial as it was sold, however prolonged. */
async function reminderTime({ db, calendar }: SubscriptionContext, trial: Subscription) {
  const { started_at, payment_uid } = trial;
  const payment = await findPayment(db, payment_uid);
  const sold = payment ? offerOfPayment(payment) : null;
  const expires_at = sold
    ? firstPeriodEnd(new Date(started_at), sold, calendar).toISOString()
    : trial.expires_at;
  return Date.parse(expires_at) - trialNoticeAt({ started_at, expires_at }, calendar).getTime();
}

/** Prolongs the paid period to the later debit, from which the next ones are counted. */
async function postpone(
  context: SubscriptionContext,
  subscription: Subscription,
  kind: AnnouncementKind,
  until: Date,
) {
  const unsent = await findUnsent(context.db, kind, subscription);
  const postponed = await updateSubscription(context.db, subscription.uid, {
    expires_at: until.toISOString(),
    anchor_at: until.toISOString(),
    grace_until: graceAfter(until, context.calendar).toISOString(),
  });
  await prolongPaid(context, subscription, postponed.expires_at);
  await announcePostponed(context, kind, postponed, unsent);
  await schedulePeriod(context, postponed);
}

/** The payment of the running period covers it to its later end. */
async function prolongPaid(
  context: SubscriptionContext,
  { uid, payment_uid, expires_at }: Subscription,
  covers_until: string,
) {
  const paid = await context.db
    .selectFrom("payment")
    .select(["uid", "covers_from"])
    .where((e) => e.or([e("uid", "=", payment_uid), e("subscription_uid", "=", uid)]))
    .where("status", "=", "success")
    .where("covers_until", "=", expires_at)
    .executeTakeFirst();
  if (!paid?.covers_from) return;
  await recordPeriod(context, paid, { covers_from: paid.covers_from, covers_until });
}
