import { graceAfter, type Calendar } from "../../../app/contract/periods";
import { inTransaction } from "../database/transaction";
import type { PaymentContext } from "./context";
import { dueReasonOf, hasNoCard, isCardExpiredAtRenewal, cardNoticeAt } from "./due";
import { mailOwner } from "../mail/contract-mail";
import { links } from "../mail/links";
import { deleteUnsentMails, findMailState, findTimeSent, renameMail } from "../mail/outbox";
import { digestOf } from "../ports/digest";
import type { RenewalNeed } from "../ports/payment-gateway";
import { recordPeriod } from "./paid-period";
import { findPayment, type Payment } from "../money/payments";
import {
  LEAST_MONTHS,
  NOTICE_MONTHS,
  periodWork,
  scheduleAnnouncements,
  scheduleRenewal,
  scheduleReversalCheck,
  trialNoticeAt,
} from "./schedule";
import { updateSubscription } from "./store";
import { findSubscription, type SubscriptionRow } from "../database/subscription-row";
import { isInTrial, needsRenewalNotice } from "./contract-periods";
import { findPlannedEnd, findPlannedStop } from "./planned-stop";
import { findUndecidedDebit } from "../money/undecided-debit";
import { isOwnNotice } from "./unsigned-stop";
import type { SubscriptionContext } from "./context";

/** Announces a renewal by mail, or the end of a long trial, unless it is stopped (L215-1). */
export async function announceRenewal(context: PaymentContext, payload: unknown) {
  await announce(context, payload, async (context, subscription) => {
    const { amount, expires_at: date } = subscription;
    const { clock, calendar } = context;
    const isTrial = isInTrial(subscription);
    // So late, the reminder of the same debit says all of it.
    if (isTrial && trialNoticeAt(subscription, calendar) <= clock.now()) return;
    if (hasNoCard(subscription)) return mailCardMissing(context, subscription, "renewal");
    await mailOwner(context, subscription, renewalNoticeKey(subscription), (site) => ({
      kind: "renewal-notice",
      site,
      amount,
      date,
      isTrial,
      cancelUrl: links.subscription(site),
    }));
  });
}

const renewalNoticeKey = ({ uid, expires_at }: SubscriptionRow) =>
  `renewal-notice:${uid}:${expires_at}`;

/**
 * Whether a payment renewed a term of three months or longer whose notice had not gone out a month before
 * (L215-1). What the person paid on a page, or saw when they undid a stop, is no tacit renewal.
 */
export async function wasUnannounced(
  { db, calendar }: Pick<SubscriptionContext, "db" | "calendar">,
  subscription: SubscriptionRow,
  { kind, period_start: due }: Pick<Payment, "kind" | "period_start">,
): Promise<boolean> {
  if (kind !== "renewal" || due === null) return false;
  const isTrial = await endsTrial(db, subscription, due);
  if (subscription.anchor_at === due && !isTrial) return false;
  // A debit after the grace, as after a standstill, begins the periods anew: the trial's end is no anchor any more.
  const ended = isTrial
    ? { ...subscription, expires_at: due, period_start: null, anchor_at: due }
    : { ...subscription, expires_at: due, period_start: due };
  if (!needsRenewalNotice(ended, calendar)) return false;
  const sentAt = await findTimeSent(db, renewalNoticeKey(ended));
  return sentAt === null || sentAt > calendar(new Date(due), -LEAST_MONTHS, "month").toISOString();
}

/** A contract that ended and goes on after an undone stop begins its periods anew too, but after no trial. */
async function endsTrial(
  db: SubscriptionContext["db"],
  { trial_amount, payment_uid }: SubscriptionRow,
  due: string,
): Promise<boolean> {
  const first = trial_amount === null ? null : await findPayment(db, payment_uid);
  return first?.covers_until === due;
}

/** Announces the first full debit after a trial. */
export async function announceTrialEnd(context: PaymentContext, payload: unknown) {
  await announce(context, payload, async (context, subscription) => {
    if (hasNoCard(subscription)) return mailCardMissing(context, subscription, "trial");
    await mailTrialEnd(context, subscription, subscription.expires_at);
  });
}

/**
 * Prolongs a trial whose end was not announced, because of a standstill or because no mail went out, by the
 * notice that it would have had, and announces that end. Access and the first debit move with it.
 * A long trial without its renewal notice is prolonged by that one (L215-1), and its reminder follows in due
 * time. A missing reminder moves the debit once: a mailbox that is full for weeks must not make a trial
 * endless. It does not move a contract whose owner knows that its end is planned: the receipt named end and debits.
 * @param wasMoved whether the debit was moved already because of a missing reminder
 * @returns whether the trial was prolonged
 */
export async function prolongUnannouncedTrial(
  context: SubscriptionContext,
  subscription: SubscriptionRow,
  wasMoved: boolean,
): Promise<boolean> {
  if (!isInTrial(subscription) || hasNoCard(subscription)) return false;
  const { db, calendar, clock } = context;
  const key = trialEndKey(subscription);
  const reminder = await findMailState(db, key);
  if (reminder === "over" || wasMoved) return false;
  if (await isPlannedEndKnown(context, subscription)) return false;
  const lacksNotice =
    reminder === null &&
    needsRenewalNotice(subscription, calendar) &&
    (await findMailState(db, renewalNoticeKey(subscription))) === null;
  const until = lacksNotice
    ? calendar(clock.now(), NOTICE_MONTHS, "month")
    : new Date(clock.now().getTime() + reminderTime(subscription, calendar));
  const prolonged = await prolongTrial(context, subscription, until);
  await deleteUnsentMails(db, [key]);
  if (!lacksNotice) {
    // The notice of the earlier end was in time for the later one, too.
    await renameMail(db, renewalNoticeKey(subscription), renewalNoticeKey(prolonged));
    await mailTrialEnd(context, prolonged, prolonged.expires_at);
  }
  const { uid: subscriptionUid, expires_at: due } = prolonged;
  const isMoved = !lacksNotice;
  await scheduleRenewal(context, { subscriptionUid, due, attempt: 0, isMoved }, new Date(due));
  await scheduleReversalCheck(context, prolonged);
  await scheduleAnnouncements(context, prolonged);
  return true;
}

/** Whether the contract's owner planned its end, or has had the mail of a stranger's notice that plans it. */
async function isPlannedEndKnown(
  context: SubscriptionContext,
  { uid, account_uid }: SubscriptionRow,
): Promise<boolean> {
  const notices = await context.db
    .selectFrom("contract_notice")
    .select(["sender_key", "mailed_at"])
    .where("subscription_uid", "=", uid)
    .where("kind", "=", "cancellation")
    .where("undone_at", "is", null)
    .where("stops_at", "is not", null)
    .execute();
  return notices.some(
    (notice) => notice.mailed_at !== null || isOwnNotice(context, notice, account_uid),
  );
}

async function prolongTrial(context: SubscriptionContext, trial: SubscriptionRow, until: Date) {
  const prolonged = await updateSubscription(context.db, trial.uid, {
    expires_at: until.toISOString(),
    anchor_at: until.toISOString(),
    grace_until: graceAfter(until, context.calendar).toISOString(),
  });
  const period = { covers_from: trial.started_at, covers_until: prolonged.expires_at };
  await recordPeriod(context, { uid: trial.payment_uid }, period);
  return prolonged;
}

const reminderTime = (trial: SubscriptionRow, calendar: Calendar) =>
  Date.parse(trial.expires_at) - trialNoticeAt(trial, calendar).getTime();

const trialEndKey = ({ uid }: SubscriptionRow) => `trial-ending:${uid}`;

async function mailTrialEnd(
  context: SubscriptionContext,
  subscription: SubscriptionRow,
  date: string,
) {
  const { amount } = subscription;
  const plannedEnd = await findPlannedEnd(context, subscription);
  await mailOwner(context, subscription, trialEndKey(subscription), (site) => ({
    kind: "trial-ending",
    site,
    amount,
    date,
    plannedEnd,
    cancelUrl: links.subscription(site),
  }));
}

/**
 * Work of the job that asks for another card, before one that expires or is gone fails the debit. Banks
 * also debit expired cards that they replaced, so that each card is told once, not at each debit.
 */
export async function askForAnotherCard(context: PaymentContext, payload: unknown) {
  await announce(context, payload, async (context, subscription) => {
    const { uid, amount, expires_at: date, card_expiry: expiry } = subscription;
    if (await findUndecidedDebit(context.db, subscription)) return;
    if (hasNoCard(subscription)) return mailCardMissing(context, subscription, "card");
    if (expiry === null || !isCardExpiredAtRenewal(subscription)) return;
    const card = digestOf([subscription.card_reference, expiry]);
    if (subscription.card_told === card) return;
    await mailOwner(context, subscription, `card-expiring:${uid}:${date}`, (site) => ({
      kind: "card-expiring",
      site,
      amount,
      expiry,
      date,
      payUrl: links.payment(site),
    }));
    await updateSubscription(context.db, uid, { card_told: card });
  });
}

/** Job that reminds a person before the grace ends whose payment is left to them. */
export async function remindBeforeEnd(context: PaymentContext, payload: unknown) {
  const { subscriptionUid, due } = periodWork.parse(payload);
  await inTransaction(context, async (context) => {
    const subscription = await findSubscription(context.db, subscriptionUid);
    if (subscription?.expires_at !== due) return;
    // Who has paid is not asked to pay; if that payment fails, its page and the account say so.
    if (await findUndecidedDebit(context.db, subscription)) return;
    switch (dueReasonOf(subscription, context.clock.now(), context.calendar)) {
      case "missing":
        return mailCardMissing(context, subscription, "last");
      case "card":
        return remindOfDecline(context, subscription, "card");
      case "confirmation":
        return remindOfDecline(context, subscription, "confirmation");
      case "declined":
      case "expiring":
      case null:
        return;
    }
  });
}

async function remindOfDecline(
  context: SubscriptionContext,
  subscription: SubscriptionRow,
  needs: RenewalNeed,
) {
  const { uid, amount, expires_at: due, grace_until } = subscription;
  const graceUntil = grace_until ?? due;
  const stop = await findPlannedStop(context.db, subscription, graceUntil);
  await mailOwner(context, subscription, `declined-last:${uid}:${due}`, (site) => ({
    kind: "renewal-declined",
    site,
    amount,
    needs,
    payUrl: links.payment(site),
    graceUntil,
    retryAt: null,
    stopsAt: stop?.stopsAt ?? null,
    isReminder: true,
  }));
}

/** Why a mail about a missing card is sent. Each reason is mailed once per period. */
type Occasion = "renewal" | "trial" | "card" | "due" | "last";

export async function mailCardMissing(
  context: SubscriptionContext,
  subscription: SubscriptionRow,
  occasion: Occasion,
) {
  const { uid, amount, expires_at: date, grace_until } = subscription;
  const from = cardNoticeAt(subscription, context.calendar);
  const when = occasion === "due" || occasion === "last" ? occasion : "before";
  await mailOwner(context, subscription, `card-missing:${uid}:${date}:${occasion}`, (site) => ({
    kind: "card-missing",
    site,
    amount,
    date,
    when,
    payFrom: from > context.clock.now() ? from.toISOString() : null,
    payUntil: grace_until ?? date,
    payUrl: links.payment(site),
  }));
}

/**
 * Mails an announcement if its debit is still to come: the contract is not stopped, ended or paid, and no
 * stop is planned before. After downtime the date may have passed; then the receipt reports the debit.
 */
async function announce(
  context: PaymentContext,
  payload: unknown,
  send: (context: SubscriptionContext, subscription: SubscriptionRow) => Promise<void>,
) {
  const { subscriptionUid, due } = periodWork.parse(payload);
  await inTransaction(context, async (context) => {
    const subscription = await findSubscription(context.db, subscriptionUid);
    if (!subscription || subscription.ended_at || subscription.cancelled_at) return;
    if (subscription.expires_at !== due || due <= context.clock.now().toISOString()) return;
    if (await isStoppedBy(context, subscription, due)) return;
    await send(context, subscription);
  });
}

/** Tells whether a cancellation with a wished day stops the contract before that debit. */
export async function isStoppedBy(
  { db }: Pick<SubscriptionContext, "db">,
  { uid }: SubscriptionRow,
  due: string,
) {
  const planned = await db
    .selectFrom("contract_notice")
    .select("uid")
    .where("subscription_uid", "=", uid)
    .where("kind", "=", "cancellation")
    .where("undone_at", "is", null)
    .where("stops_at", "<", due)
    .executeTakeFirst();
  return planned !== undefined;
}
