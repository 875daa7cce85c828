import { z } from "zod/v4";
import type { Calendar } from "../../../app/contract/periods";
import type { Database } from "../database/tables";
import { enqueue, hasKeyOf } from "../jobs/queue";
import { cardNoticeAt, hasNoCard, isCardExpiredAtRenewal } from "./due";
import { isInTrial, needsRenewalNotice } from "./contract-periods";
import type { SubscriptionRow } from "../database/subscription-row";
import type { SubscriptionContext } from "./context";
import { findPlannedStop } from "./planned-stop";
import { scheduleMissedTerms } from "./terms-change";
import { findUndecidedDebit } from "../money/undecided-debit";

/** Kinds of the scheduled jobs of a subscription. */
export const RENEWAL = "subscription.renew";
export const RENEWAL_NOTICE = "subscription.notice";
export const TRIAL_NOTICE = "subscription.trial-notice";
export const CARD_NOTICE = "subscription.card-notice";
export const LAST_NOTICE = "subscription.last-notice";
export const REVERSAL_CHECK = "subscription.check-reversals";
export const END = "subscription.end";
export const DELETION = "account.delete";

/** Time between the end of a stopped subscription and the deletion of its account (R-4.3). */
export const PROFILE_AFTER_END = { days: 1 };

/**
 * `attempt`: number of declined charges of the period. `putOff`: number of times that this charge was
 * postponed. `wasShown`: the person saw this debit when they undid the stop, so it needs no reminder.
 * `isMoved`: the first debit was moved to this day because its reminder was missing.
 */
export const renewalWork = z.object({
  subscriptionUid: z.string(),
  due: z.string(),
  attempt: z.int(),
  putOff: z.int().optional(),
  wasShown: z.boolean().optional(),
  isMoved: z.boolean().optional(),
});
export type RenewalWork = z.infer<typeof renewalWork>;

export const periodWork = z.object({ subscriptionUid: z.string(), due: z.string() });

/** Renewals are announced two months ahead; the law requires between three and one (L215-1). */
export const NOTICE_MONTHS = 2;
export const LEAST_MONTHS = 1;

/** Days before the first full debit when it is announced, for short and longer trials. */
export const TRIAL_NOTICE_DAYS = { short: 3, long: 7 };
export const SHORT_TRIAL_DAYS = 7;

/** Days before the end of the grace when a person who has to pay themselves is reminded. */
const LAST_NOTICE_DAYS = 2;

/** Schedules the renewal at the end of a paid period and the mails before it, once per period. */
export async function schedulePeriod(context: SubscriptionContext, subscription: SubscriptionRow) {
  const { uid: subscriptionUid, expires_at: due } = subscription;
  await scheduleRenewal(context, { subscriptionUid, due, attempt: 0 }, new Date(due));
  await scheduleReversalCheck(context, subscription);
  await scheduleAnnouncements(context, subscription);
}

/** Days between two checks of what went back; a charge is preceded by one of its own. */
const CHECK_DAYS = 14;

/** Schedules the next check of what went back of the contract's payments, while a paid period lasts. */
export async function scheduleReversalCheck(
  { db, clock, calendar }: SubscriptionContext,
  { uid: subscriptionUid, expires_at: due }: SubscriptionRow,
) {
  const runAt = calendar(clock.now(), CHECK_DAYS, "day");
  if (runAt.toISOString() >= due) return;
  const key = `${REVERSAL_CHECK}:${subscriptionUid}:${due}:${runAt.toISOString()}`;
  await enqueue(db, { kind: REVERSAL_CHECK, key, payload: { subscriptionUid, due }, runAt });
}

/**
 * Schedules the mails before the next debit. A resumed contract needs them again, because a job that ran
 * while it was stopped sent no mail; a late mail is better than none. Each mail is written once, however
 * often this is called.
 */
export async function scheduleAnnouncements(
  context: SubscriptionContext,
  subscription: SubscriptionRow,
) {
  if (isInTrial(subscription)) await scheduleTrialNotice(context, subscription);
  if (needsRenewalNotice(subscription, context.calendar)) {
    await scheduleRenewalNotice(context, subscription);
  }
  const isCardOfUse = !hasNoCard(subscription) && !isCardExpiredAtRenewal(subscription);
  if (!isCardOfUse) await scheduleCardNotice(context, subscription);
  await scheduleMissedTerms(context, subscription);
}

/** Schedules the announcement of the end of a trial (R-11.15). */
async function scheduleTrialNotice(context: SubscriptionContext, subscription: SubscriptionRow) {
  const runAt = trialNoticeAt(subscription, context.calendar);
  await scheduleAnnouncement(context, subscription, TRIAL_NOTICE, runAt);
}

/** When the end of a trial is announced; half way of a trial that is shorter than the notice. */
export function trialNoticeAt(
  { expires_at, started_at }: Pick<SubscriptionRow, "expires_at" | "started_at">,
  calendar: Calendar,
): Date {
  const [start, end] = [new Date(started_at), new Date(expires_at)];
  const isShort = end <= calendar(start, SHORT_TRIAL_DAYS, "day");
  const days = isShort ? TRIAL_NOTICE_DAYS.short : TRIAL_NOTICE_DAYS.long;
  const before = calendar(end, -days, "day");
  return before > start ? before : new Date((start.getTime() + end.getTime()) / 2);
}

/** Schedules the mail that asks for another card when this one cannot pay the next debit. */
export async function scheduleCardNotice(
  context: SubscriptionContext,
  subscription: SubscriptionRow,
) {
  const runAt = cardNoticeAt(subscription, context.calendar);
  await scheduleAnnouncement(context, subscription, CARD_NOTICE, runAt);
}

/**
 * Schedules the last reminder for a person who has to pay on a page before access ends. So late that it would
 * be due already, the mail that is written now says the same.
 */
export async function scheduleLastNotice(
  { db, clock, calendar }: SubscriptionContext,
  { uid: subscriptionUid, expires_at: due }: SubscriptionRow,
  graceUntil: Date,
) {
  const runAt = calendar(graceUntil, -LAST_NOTICE_DAYS, "day");
  if (runAt <= clock.now()) return;
  const key = `${LAST_NOTICE}:${subscriptionUid}:${due}`;
  await enqueue(db, { kind: LAST_NOTICE, key, payload: { subscriptionUid, due }, runAt });
}

/** Key of the job of a charge attempt, as migration 0008 wrote it; one at another time adds that time. */
const renewalKey = ({ subscriptionUid, due, attempt }: RenewalWork) =>
  `${RENEWAL}:${subscriptionUid}:${due}:${attempt}`;

/**
 * Reads the jobs of a charge attempt that are not done, at whatever time they run. Done ones are sorted out
 * here: asked for pending jobs, SQLite reads all of the site's by the index of those that are due.
 */
async function readRenewals(db: Database, work: RenewalWork) {
  const key = renewalKey(work);
  const jobs = await db
    .selectFrom("job")
    .select(["uid", "payload", "run_at", "done_at"])
    .where((e) => e.or([e("key", "=", key), hasKeyOf(key)]))
    .orderBy("run_at")
    .execute();
  return jobs.filter(({ done_at }) => done_at === null);
}

export async function scheduleRenewal(
  { db }: Pick<SubscriptionContext, "db">,
  payload: RenewalWork,
  runAt: Date,
) {
  const later = runAt.toISOString() === payload.due ? "" : `:${runAt.toISOString()}`;
  const key = renewalKey(payload) + later;
  await enqueue(db, { kind: RENEWAL, key, payload, runAt });
}

/** Records that the person saw the debit of a job that is late: it needs no reminder. */
export async function markRenewalShown(
  { db, clock }: Pick<SubscriptionContext, "db" | "clock">,
  work: RenewalWork,
) {
  if (work.attempt > 0) return;
  const now = clock.now().toISOString();
  const renewals = await readRenewals(db, work);
  for (const { uid, payload } of renewals.filter(({ run_at }) => run_at <= now)) {
    // A postponed one stays postponed: its grace has begun.
    const shown: RenewalWork = { ...renewalWork.parse(JSON.parse(payload)), wasShown: true };
    const changed = { payload: JSON.stringify(shown) };
    await db.updateTable("job").set(changed).where("uid", "=", uid).execute();
  }
}

/** When the job of that charge attempt runs. Null without such a job. */
export async function renewalScheduledAt(
  { db }: Pick<SubscriptionContext, "db">,
  work: RenewalWork,
): Promise<string | null> {
  const [next] = await readRenewals(db, work);
  return next?.run_at ?? null;
}

/**
 * When a declined renewal is charged again by itself. Null when nothing is left to try, undecided, or where a
 * planned stop comes before.
 */
export async function findNextTry(
  db: Database,
  subscription: SubscriptionRow,
  now: Date,
): Promise<string | null> {
  const { uid: subscriptionUid, expires_at: due, renewal_attempts: attempt } = subscription;
  const isOver = subscription.ended_at !== null || subscription.cancelled_at !== null;
  if (isOver || attempt === 0 || hasNoCard(subscription)) return null;
  if (await findUndecidedDebit(db, subscription)) return null;
  const runAt = await renewalScheduledAt({ db }, { subscriptionUid, due, attempt });
  if (runAt === null || runAt <= now.toISOString()) return null;
  return (await findPlannedStop(db, subscription, runAt)) ? null : runAt;
}

/**
 * Whether the debit after the paid period has not been attempted yet. The grace begins with the first
 * attempt, however late it is, so that nobody loses access before being notified.
 */
export async function isUntried(
  db: Database,
  { uid, expires_at, renewal_attempts, cancelled_at, ended_at }: SubscriptionRow,
): Promise<boolean> {
  if (ended_at !== null || cancelled_at !== null || renewal_attempts > 0) return false;
  const first = { subscriptionUid: uid, due: expires_at, attempt: 0 };
  const jobs = await readRenewals(db, first);
  const works = jobs.map(({ payload }) => renewalWork.parse(JSON.parse(payload)));
  if (works.every(({ putOff }) => putOff !== undefined)) return false;
  return !(await wasCharged(db, { uid, expires_at }));
}

/** Whether a charge of the due period was started, whatever its outcome. */
export async function wasCharged(
  db: Database,
  { uid, expires_at }: Pick<SubscriptionRow, "uid" | "expires_at">,
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

/** Schedules the end of an unpaid subscription. The job does nothing if it has been paid by then. */
export async function scheduleEnd(
  { db }: Pick<SubscriptionContext, "db">,
  subscription: SubscriptionRow,
  at: Date,
) {
  const { uid: subscriptionUid, expires_at: due } = subscription;
  const key = `${END}:${subscriptionUid}:${due}:${at.toISOString()}`;
  await enqueue(db, { kind: END, key, payload: { subscriptionUid, due }, runAt: at });
}

/** Schedules the deletion of the account and returns its time as ISO text. */
export async function scheduleDeletion(
  { db, clock, calendar }: SubscriptionContext,
  { uid, account_uid }: SubscriptionRow,
): Promise<string> {
  const runAt = calendar(clock.now(), PROFILE_AFTER_END.days, "day");
  const key = `${DELETION}:${uid}:${runAt.toISOString()}`;
  await enqueue(db, { kind: DELETION, key, payload: { accountUid: account_uid }, runAt });
  return runAt.toISOString();
}

async function scheduleRenewalNotice(context: SubscriptionContext, subscription: SubscriptionRow) {
  const runAt = context.calendar(new Date(subscription.expires_at), -NOTICE_MONTHS, "month");
  await scheduleAnnouncement(context, subscription, RENEWAL_NOTICE, runAt);
}

/**
 * Schedules one announcement. If its day has passed, it is sent now: an earlier job may have run while
 * there was nothing to announce.
 */
async function scheduleAnnouncement(
  { db, clock }: SubscriptionContext,
  { uid: subscriptionUid, expires_at: due }: SubscriptionRow,
  kind: string,
  day: Date,
) {
  const now = clock.now();
  const isLate = day <= now;
  const key = `${kind}:${subscriptionUid}:${due}${isLate ? `:${now.toISOString()}` : ""}`;
  const runAt = isLate ? now : day;
  await enqueue(db, { kind, key, payload: { subscriptionUid, due }, runAt });
}
