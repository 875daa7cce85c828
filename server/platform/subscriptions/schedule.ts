import { z } from "zod/v4";
import type { Database } from "../database/tables";
import { enqueue } from "../jobs/queue";
import { cardNoticeAt, hasNoCard, isCardExpiredAtRenewal } from "./due";
import { needsRenewalNotice } from "./terms";
import type { Subscription } from "./lookup";
import type { SubscriptionContext } from "./context";

/** Kinds of the scheduled jobs of a subscription. */
export const RENEWAL = "subscription.renew";
export const RENEWAL_NOTICE = "subscription.notice";
export const TRIAL_NOTICE = "subscription.trial-notice";
export const CARD_NOTICE = "subscription.card-notice";
export const LAST_NOTICE = "subscription.last-notice";
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

/** Days before the grace ends on which who has to pay by themselves is told once more. */
const LAST_NOTICE_DAYS = 2;

/** What happens at the end of the period just paid, and before it; once per period. */
export async function schedulePeriod(context: SubscriptionContext, subscription: Subscription) {
  const { uid: subscriptionUid, expires_at: due } = subscription;
  await scheduleRenewal(context, { subscriptionUid, due, attempt: 0 }, new Date(due));
  await scheduleAnnouncements(context, subscription);
}

/**
 * What is mailed before the debit that comes next. Also for a contract that goes on again: a job that
 * ran while it was stopped has told nothing, and its mail comes late rather than not at all. Each mail
 * is written once, however often this is asked.
 */
export async function scheduleAnnouncements(
  context: SubscriptionContext,
  subscription: Subscription,
) {
  if (isInTrial(subscription)) await scheduleTrialNotice(context, subscription);
  if (needsRenewalNotice(subscription)) await scheduleNotice(context, subscription);
  const isCardOfUse = !hasNoCard(subscription) && !isCardExpiredAtRenewal(subscription);
  if (!isCardOfUse) await scheduleCardNotice(context, subscription);
}

/** The first full period is counted from the end of the trial. */
const isInTrial = ({ period_start, anchor_at, expires_at }: Subscription) =>
  period_start === null && anchor_at === expires_at;

/** The end of a trial is announced (R-11.15); one shorter than the notice, half way. */
async function scheduleTrialNotice(context: SubscriptionContext, subscription: Subscription) {
  const { expires_at: due, started_at } = subscription;
  const [start, end] = [new Date(started_at), new Date(due)];
  const isShort = end <= context.calendar(start, SHORT_TRIAL_DAYS, "day");
  const days = isShort ? TRIAL_NOTICE_DAYS.short : TRIAL_NOTICE_DAYS.long;
  const before = context.calendar(end, -days, "day");
  const halfWay = new Date((start.getTime() + end.getTime()) / 2);
  const runAt = before > start ? before : halfWay;
  await scheduleAnnouncement(context, subscription, TRIAL_NOTICE, runAt);
}

/** Somebody whose card will not pay the next debit is asked for another in time. */
export async function scheduleCardNotice(context: SubscriptionContext, subscription: Subscription) {
  const runAt = cardNoticeAt(subscription, context.calendar);
  await scheduleAnnouncement(context, subscription, CARD_NOTICE, runAt);
}

/** Who has to pay by themselves is reminded before access ends. */
export async function scheduleLastNotice(
  { db, calendar }: SubscriptionContext,
  { uid: subscriptionUid, expires_at: due }: Subscription,
  graceUntil: Date,
) {
  const runAt = calendar(graceUntil, -LAST_NOTICE_DAYS, "day");
  const key = `${LAST_NOTICE}:${subscriptionUid}:${due}`;
  await enqueue(db, { kind: LAST_NOTICE, key, payload: { subscriptionUid, due }, runAt });
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

/** When a job is to charge that try; null where none is. */
export async function renewalScheduledAt(
  { db }: Pick<SubscriptionContext, "db">,
  { subscriptionUid, due, attempt }: RenewalWork,
): Promise<string | null> {
  const job = await db
    .selectFrom("job")
    .select("run_at")
    .where("kind", "=", RENEWAL)
    .where("key", "like", `${RENEWAL}:${subscriptionUid}:${due}:${attempt}%`)
    .where("done_at", "is", null)
    .orderBy("run_at")
    .executeTakeFirst();
  return job?.run_at ?? null;
}

/**
 * Whether the debit at the end of what is paid is still to be tried for the first time. Its grace
 * begins with that try, however late it comes: nobody loses access before they were told.
 */
export async function isUntried(
  db: Database,
  { uid, expires_at, renewal_attempts, cancelled_at, ended_at }: Subscription,
): Promise<boolean> {
  if (ended_at !== null || cancelled_at !== null || renewal_attempts > 0) return false;
  const jobs = await db
    .selectFrom("job")
    .select("payload")
    .where("kind", "=", RENEWAL)
    .where("key", "like", `${RENEWAL}:${uid}:${expires_at}:0%`)
    .where("done_at", "is", null)
    .execute();
  const works = jobs.map(({ payload }) => renewalWork.parse(JSON.parse(payload)));
  if (works.every(({ putOff }) => putOff !== undefined)) return false;
  return !(await wasCharged(db, { uid, expires_at }));
}

/** Whether a charge of the period that is due was begun, whatever became of it. */
export async function wasCharged(
  db: Database,
  { uid, expires_at }: Pick<Subscription, "uid" | "expires_at">,
): Promise<boolean> {
  const begun = await db
    .selectFrom("payment")
    .select("uid")
    .where("subscription_uid", "=", uid)
    .where("period_start", "=", expires_at)
    .where("kind", "=", "renewal")
    .executeTakeFirst();
  return begun !== undefined;
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
async function scheduleNotice(context: SubscriptionContext, subscription: Subscription) {
  const { calendar } = context;
  const { expires_at, period_start, started_at } = subscription;
  const end = new Date(expires_at);
  const start = new Date(period_start ?? started_at);
  if (calendar(end, -LAST_NOTICE_MONTHS, "month") <= start) return;
  await scheduleAnnouncement(
    context,
    subscription,
    RENEWAL_NOTICE,
    calendar(end, -NOTICE_MONTHS, "month"),
  );
}

/** One whose day has passed is written now: its job may have run while nothing was to be told. */
async function scheduleAnnouncement(
  { db, clock }: SubscriptionContext,
  { uid: subscriptionUid, expires_at: due }: Subscription,
  kind: string,
  day: Date,
) {
  const now = clock.now();
  const isLate = day <= now;
  const key = `${kind}:${subscriptionUid}:${due}${isLate ? `:${now.toISOString()}` : ""}`;
  const runAt = isLate ? now : day;
  await enqueue(db, { kind, key, payload: { subscriptionUid, due }, runAt });
}
