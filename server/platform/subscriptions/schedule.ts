import { z } from "zod/v4";
import { enqueue } from "../jobs/queue";
import { CARD_NOTICE_DAYS, isCardExpiredAtRenewal } from "./due";
import { needsRenewalNotice } from "./terms";
import type { Subscription } from "./lookup";
import type { SubscriptionContext } from "./context";

/** Kinds of the scheduled jobs of a subscription. */
export const RENEWAL = "subscription.renew";
export const RENEWAL_NOTICE = "subscription.notice";
export const TRIAL_NOTICE = "subscription.trial-notice";
export const CARD_NOTICE = "subscription.card-notice";
export const END = "subscription.end";
export const DELETION = "account.delete";

/** `attempt`: declined charges of the period so far. `putOff`: how often this charge was postponed. */
export const renewalWork = z.object({
  subscriptionUid: z.string(),
  due: z.string(),
  attempt: z.int(),
  putOff: z.int().optional(),
});
export type RenewalWork = z.infer<typeof renewalWork>;

export const periodWork = z.object({ subscriptionUid: z.string(), due: z.string() });

/** Renewals are announced two months ahead; the law requires between three and one (L215-1). */
const NOTICE_MONTHS = 2;
const LAST_NOTICE_MONTHS = 1;

/** Days before the first full debit when it is announced, for short and longer trials. */
const TRIAL_NOTICE_DAYS = { short: 3, long: 7 };
const SHORT_TRIAL_DAYS = 7;

/** Schedules renewal and notices of the period just paid; once per period. */
export async function schedulePeriod(context: SubscriptionContext, subscription: Subscription) {
  const { uid: subscriptionUid, expires_at: due } = subscription;
  await scheduleRenewal(context, { subscriptionUid, due, attempt: 0 }, new Date(due));
  if (needsRenewalNotice(subscription)) await scheduleNotice(context, subscription);
  if (isCardExpiredAtRenewal(subscription)) await scheduleCardNotice(context, subscription);
}

/** Schedules the notice before the end of a trial; half way in a very short trial. */
export async function scheduleTrialNotice(
  context: SubscriptionContext,
  subscription: Subscription,
) {
  const { uid: subscriptionUid, expires_at: due, started_at } = subscription;
  const [start, end] = [new Date(started_at), new Date(due)];
  const isShort = end <= context.calendar(start, SHORT_TRIAL_DAYS, "day");
  const days = isShort ? TRIAL_NOTICE_DAYS.short : TRIAL_NOTICE_DAYS.long;
  const before = context.calendar(end, -days, "day");
  const halfWay = new Date((start.getTime() + end.getTime()) / 2);
  const runAt = before > start ? before : halfWay;
  const key = `${TRIAL_NOTICE}:${subscriptionUid}`;
  await enqueue(context.db, { kind: TRIAL_NOTICE, key, payload: { subscriptionUid, due }, runAt });
}

/** Schedules the request for another card before the debit that the card cannot pay. */
async function scheduleCardNotice(
  { db, calendar }: SubscriptionContext,
  subscription: Subscription,
) {
  const { uid: subscriptionUid, expires_at: due } = subscription;
  const runAt = calendar(new Date(due), -CARD_NOTICE_DAYS, "day");
  const key = `${CARD_NOTICE}:${subscriptionUid}:${due}`;
  await enqueue(db, { kind: CARD_NOTICE, key, payload: { subscriptionUid, due }, runAt });
}

export async function scheduleRenewal(
  { db }: Pick<SubscriptionContext, "db">,
  payload: RenewalWork,
  runAt: Date,
) {
  const { subscriptionUid, due, attempt } = payload;
  // The key without a time is the one that migration 0008 used; a postponed renewal adds its time.
  const later = runAt.toISOString() === due ? "" : `:${runAt.toISOString()}`;
  const key = `${RENEWAL}:${subscriptionUid}:${due}:${attempt}${later}`;
  await enqueue(db, { kind: RENEWAL, key, payload, runAt });
}

/** Tells whether a job is scheduled for that attempt. */
export async function isRenewalScheduled(
  { db }: Pick<SubscriptionContext, "db">,
  { subscriptionUid, due, attempt }: RenewalWork,
): Promise<boolean> {
  const job = await db
    .selectFrom("job")
    .select("uid")
    .where("kind", "=", RENEWAL)
    .where("key", "like", `${RENEWAL}:${subscriptionUid}:${due}:${attempt}%`)
    .where("done_at", "is", null)
    .executeTakeFirst();
  return job !== undefined;
}

/** Schedules the end of an unpaid subscription; the job does nothing when it is paid by then. */
export async function scheduleEnd(
  { db }: Pick<SubscriptionContext, "db">,
  subscription: Subscription,
  at: Date,
) {
  const { uid: subscriptionUid, expires_at: due } = subscription;
  const key = `${END}:${subscriptionUid}:${due}:${at.toISOString()}`;
  await enqueue(db, { kind: END, key, payload: { subscriptionUid, due }, runAt: at });
}

/** Schedules the deletion of the account and returns its time as ISO text. */
export async function scheduleDeletion(
  { db, clock, calendar }: SubscriptionContext,
  { uid, account_uid }: Subscription,
): Promise<string> {
  const runAt = calendar(clock.now(), 1, "day");
  const key = `${DELETION}:${uid}:${runAt.toISOString()}`;
  await enqueue(db, { kind: DELETION, key, payload: { accountUid: account_uid }, runAt });
  return runAt.toISOString();
}

/**
 * Schedules the renewal notice, unless less time is left than the law requires: the order named the
 * date.
 */
async function scheduleNotice(
  { db, clock, calendar }: SubscriptionContext,
  subscription: Subscription,
) {
  const { uid: subscriptionUid, expires_at: due } = subscription;
  const end = new Date(due);
  if (calendar(end, -LAST_NOTICE_MONTHS, "month") <= clock.now()) return;
  const runAt = calendar(end, -NOTICE_MONTHS, "month");
  const key = `${RENEWAL_NOTICE}:${subscriptionUid}:${due}`;
  await enqueue(db, { kind: RENEWAL_NOTICE, key, payload: { subscriptionUid, due }, runAt });
}
