import { graceAfter } from "../../../app/contract/periods";
import type { z } from "zod/v4";
import type { unsubscribing } from "../../../app/contract/subscriptions";
import { links } from "../mail/links";
import { lockAccount } from "../database/account-lock";
import { notFound, Refusal } from "../http/refusal";
import type { Principal } from "../http/types";
import { inTransaction } from "../database/transaction";
import { isWithdrawalOpen } from "./open-withdrawal";
import { awaitCreditAgain } from "./credits";
import { readStoppedCredit } from "./credit-prospects";
import { endIfLapsed, endSubscription } from "./end";
import { mailOwner } from "../mail/contract-mail";
import { closeOpenPage, scheduleClosing } from "./open-page";
import {
  isUntried,
  markRenewalShown,
  renewalScheduledAt,
  scheduleDeletion,
  scheduleEnd,
  scheduleLastNotice,
  scheduleRenewal,
  wasCharged,
} from "./schedule";
import { endOfStopped, findRunning, findStoppable } from "./lookup";
import { findSubscription, type SubscriptionRow } from "../database/subscription-row";
import { findDueStop, type PlannedStop } from "./planned-stop";
import { updateSubscription } from "./store";
import { forgetPassedTerms } from "./terms-change";
import { isEndableAtOnce } from "./unannounced";
import { findUndecidedDebit, readUndecidedAmount, hasBegunRenewal } from "../money/undecided-debit";
import { isStoppedByOthers } from "./unsigned-stop";
import { withdrawableUntil } from "./withdrawal-deadline";
import { endOfPeriodAt, nextRetry, periodPaidBy } from "./contract-periods";
import type { PaymentContext, SubscriptionContext } from "./context";

type Unsubscribing = z.infer<typeof unsubscribing>;

/**
 * Stops the renewal at the subscriber's request. It takes the place of a stop by notices without sign-in, so
 * that no link of theirs undoes it.
 * @throws Refusal 404 without a subscription that can be stopped, 409 when its owner stopped it before
 */
export async function unsubscribe(
  context: PaymentContext,
  principal: Principal,
): Promise<Unsubscribing> {
  const stopped = await inTransaction(context, async (context) => {
    await lockAccount(context.db, principal.uid);
    await bringUpToDate(context, principal.uid);
    const at = context.clock.now();
    const subscription = await findStoppable(context.db, principal.uid, at);
    if (!subscription) throw notFound("No running subscription");
    const isStopped = subscription.cancelled_at !== null;
    if (isStopped && !(await isStoppedByOthers(context, subscription))) {
      throw new Refusal(409, "Already stopped");
    }
    const credit = await readStoppedCredit(context, subscription);
    const undecidedDebit = await readUndecidedAmount(context.db, subscription);
    const isUnannounced = await isEndableAtOnce(context, subscription);
    const isRunning = subscription.ended_at === null;
    const isWithdrawing = isRunning && (await isWithdrawalOpen(context.db, subscription.uid));
    const { endsAt, isOver } = isStopped
      ? await takeOverStop(context, subscription, at)
      : await stopRenewal(context, subscription, at);
    await mailOwner(
      context,
      subscription,
      `stop:${subscription.uid}:${at.toISOString()}`,
      (site) => ({
        kind: "stop-confirmed",
        site,
        receivedAt: at.toISOString(),
        endsAt,
        isOnHold: !isRunning,
        isWithdrawing,
        credit,
        undecidedDebit,
        isUnannounced,
        withdrawableUntil: isWithdrawing ? null : withdrawableUntil(subscription, at),
      }),
    );
    await scheduleClosing(context, principal.uid);
    return { status: isOver ? "ended" : "in process", endsAt } as const;
  });
  await closeOpenPage(context, principal.uid);
  return stopped;
}

/**
 * Stops the renewal as of a time. Access lasts until the end of the paid period, or of the grace
 * when the due period is unpaid; no further charge is tried. The grace is kept because anybody may
 * send a notice: a stop must not remove anything that undoing it could not restore. A subscription
 * on hold is not renewed either.
 */
export async function stopRenewal(
  context: SubscriptionContext,
  subscription: SubscriptionRow,
  at: Date,
) {
  const { uid, expires_at, ended_at } = subscription;
  if (ended_at) return stopOnHold(context, subscription, ended_at, at);
  const isUnpaid = await isUnpaidAt(context, subscription, at);
  const grace_until = isUnpaid ? await graceOf(context, subscription) : null;
  const cancelled_at = at.toISOString();
  const stopped = await updateSubscription(context.db, uid, { cancelled_at, grace_until });
  const endsAt = new Date(grace_until ?? expires_at);
  const isOver = endsAt <= context.clock.now();
  if (isOver) await endSubscription(context, stopped, { at: endsAt });
  else if (isUnpaid) await scheduleEnd(context, stopped, endsAt);
  return { isOver, endsAt: endsAt.toISOString() };
}

/** The grace of a debit that was never tried begins with the stop where its days are over. */
async function graceOf(
  { db, clock, calendar }: SubscriptionContext,
  subscription: SubscriptionRow,
) {
  const { grace_until } = subscription;
  if ((grace_until ?? "") > clock.now().toISOString()) return grace_until;
  if (!(await isUntried(db, subscription))) return grace_until;
  return graceAfter(clock.now(), calendar).toISOString();
}

/**
 * Applies what is due to a person's contract when its jobs have not run, such as after downtime: a
 * planned stop, and the end of a subscription whose time is over.
 */
export async function bringUpToDate(context: SubscriptionContext, accountUid: string) {
  const running = await findRunning(context.db, accountUid);
  if (running) await stopAsPlanned(context, running);
  await endIfLapsed(context, accountUid);
}

/**
 * Carries out a planned stop that is due, dated at its planned time. Several callers do this, because the
 * job of the stop and the job that charges run in any order. A debit that was due before the stop and
 * pays up to the announced end is made first. A contract that ended before the stop was not stopped.
 */
export async function stopAsPlanned(
  context: SubscriptionContext,
  subscription: SubscriptionRow,
): Promise<SubscriptionRow> {
  const { db, clock } = context;
  const stop = await findDueStop(db, subscription, clock.now());
  if (!stop || (await isDebitFirst(context, subscription, stop))) return subscription;
  const hasLapsed = endOfStopped(subscription) <= stop.stopsAt;
  if (hasLapsed && !(await isUntried(db, subscription))) return subscription;
  await confirmStop(context, subscription, stop);
  return (await findSubscription(db, subscription.uid)) ?? subscription;
}

/** Stops by a planned notice and confirms it by mail. An end has a mail of its own. */
export async function confirmStop(
  context: SubscriptionContext,
  subscription: SubscriptionRow,
  { noticeUid, stopsAt }: PlannedStop,
) {
  const credit = await readStoppedCredit(context, subscription);
  const undecidedDebit = await readUndecidedAmount(context.db, subscription);
  const isUnannounced = await isEndableAtOnce(context, subscription);
  const { endsAt, isOver } = await stopRenewal(context, subscription, new Date(stopsAt));
  if (isOver && subscription.ended_at === null) return;
  const { received_at, undo_until } = await context.db
    .selectFrom("contract_notice")
    .select(["received_at", "undo_until"])
    .where("uid", "=", noticeUid)
    .executeTakeFirstOrThrow();
  const isUndoable = (undo_until ?? "") > context.clock.now().toISOString();
  await mailOwner(context, subscription, `notice-stop:${noticeUid}`, (site) => ({
    kind: "planned-stop",
    site,
    reference: subscription.uid,
    receivedAt: received_at,
    plannedFor: stopsAt,
    endsAt,
    isOnHold: subscription.ended_at !== null,
    undoUntil: isUndoable ? undo_until : null,
    subscriptionUrl: links.subscription(site),
    credit,
    undecidedDebit,
    isUnannounced,
  }));
}

/** Whether a debit that was not attempted yet was due before the stop and belongs to the announced end. */
export async function isDebitFirst(
  { db, clock, calendar }: SubscriptionContext,
  subscription: SubscriptionRow,
  { stopsAt }: PlannedStop,
): Promise<boolean> {
  const { expires_at } = subscription;
  const now = clock.now();
  if (expires_at > stopsAt || expires_at > now.toISOString()) return false;
  if (!(await isUntried(db, subscription))) return false;
  const announced = endOfPeriodAt(subscription, new Date(stopsAt), calendar);
  return periodPaidBy(now, subscription, calendar).end <= announced;
}

/**
 * Tells whether the due period is unpaid. A stop in time avoids it, unless a charge was already
 * tried.
 */
async function isUnpaidAt(
  { db, clock }: SubscriptionContext,
  subscription: SubscriptionRow,
  at: Date,
) {
  const { expires_at, renewal_attempts } = subscription;
  if (expires_at > clock.now().toISOString()) return false;
  if (expires_at <= at.toISOString() || renewal_attempts > 0) return true;
  return hasBegunRenewal(db, subscription);
}

/** Makes a stop that others declared the owner's own. Nothing else changes: its end stays. */
async function takeOverStop(context: SubscriptionContext, subscription: SubscriptionRow, at: Date) {
  // The stop moves to `at`, which may be after the day of a version of the terms that it declined. That version would
  // then count, so it is forgotten first.
  await forgetPassedTerms(context, subscription);
  await setStopTime(context, subscription, at.toISOString());
  return { isOver: subscription.ended_at !== null, endsAt: endOfStopped(subscription) };
}

async function stopOnHold(
  context: SubscriptionContext,
  { uid }: SubscriptionRow,
  endsAt: string,
  at: Date,
) {
  const stopped = await updateSubscription(context.db, uid, { cancelled_at: at.toISOString() });
  await scheduleDeletion(context, stopped);
  return { isOver: true, endsAt };
}

/** Sets the stop time to that of another notice, after the notice that stopped it was undone. */
export async function setStopTime(
  { db }: SubscriptionContext,
  { uid }: SubscriptionRow,
  cancelled_at: string | null,
) {
  await updateSubscription(db, uid, { cancelled_at });
}

/**
 * Undoes a stop, so that the account is no longer leaving. A running subscription continues as before, an
 * unpaid one with the rest of its grace and retries. A subscription that ended with its paid period
 * restarts with a period that is due now, or that an undecided early payment pays. One that ended unpaid stays
 * ended.
 * @returns false when it does not continue: it has ended, is on hold, or was replaced by a new one
 */
export async function resumeRenewal(
  context: SubscriptionContext,
  subscription: SubscriptionRow,
): Promise<boolean> {
  const resumed = await updateSubscription(context.db, subscription.uid, { cancelled_at: null });
  const { ended_at, ended_by_payment } = resumed;
  if (ended_by_payment !== null) return false;
  return ended_at === null
    ? continueRunning(context, resumed)
    : restartEnded(context, resumed, ended_at);
}

async function continueRunning(
  context: SubscriptionContext,
  subscription: SubscriptionRow,
): Promise<boolean> {
  const { db, calendar } = context;
  const { uid, account_uid, expires_at, grace_until } = subscription;
  if (grace_until === null) {
    const until = graceAfter(new Date(expires_at), calendar).toISOString();
    await updateSubscription(db, uid, { grace_until: until });
    return true;
  }
  await endIfLapsed(context, account_uid);
  const isOver = (await findSubscription(db, uid))?.ended_at !== null;
  if (isOver) return false;
  await resumeRetries(context, subscription);
  return true;
}

/** Schedules the next retry of the plan; retries missed during the stop are not made up for. */
async function resumeRetries(context: SubscriptionContext, subscription: SubscriptionRow) {
  const { calendar, clock } = context;
  const { uid, expires_at: due, grace_until, renewal_needs, renewal_attempts } = subscription;
  const work = { subscriptionUid: uid, due, attempt: renewal_attempts };
  if ((await renewalScheduledAt(context, work)) !== null) return markRenewalShown(context, work);
  if (renewal_attempts === 0) {
    const isFirst = !(await wasCharged(context.db, subscription));
    const charge = isFirst ? { ...work, wasShown: true } : { ...work, putOff: 1 };
    return scheduleRenewal(context, charge, clock.now());
  }
  if (renewal_needs !== null || grace_until === null) return;
  const retryAt = nextRetry(new Date(grace_until), clock.now(), calendar);
  if (retryAt) await scheduleRenewal(context, work, retryAt);
}

async function restartEnded(
  context: SubscriptionContext,
  subscription: SubscriptionRow,
  endedAt: string,
) {
  const { db, clock, calendar } = context;
  const { uid, account_uid, expires_at, card_reference } = subscription;
  const endedWithPeriod = endedAt === expires_at;
  if (!endedWithPeriod || (await findRunning(db, account_uid))) return false;
  if (await findUndecidedDebit(db, subscription)) return reopenUndecided(context, subscription);
  // A restarted contract is charged at once, so it needs a stored card.
  if (!card_reference) return false;
  const due = clock.now();
  const resumed = await updateSubscription(db, uid, {
    ended_at: null,
    renewal_attempts: 0,
    expires_at: due.toISOString(),
    anchor_at: due.toISOString(),
    grace_until: graceAfter(due, calendar).toISOString(),
  });
  await awaitCreditAgain(context, resumed);
  const work = { subscriptionUid: uid, due: resumed.expires_at, attempt: 0, wasShown: true };
  await scheduleRenewal(context, work, due);
  return true;
}

/**
 * Reopens a contract that ended while the bank decided on an early payment of its next period, so that this payment
 * pays it: another debit would be a second one of the same period. If the bank refuses it, the person pays on the
 * page within the grace.
 */
async function reopenUndecided(context: SubscriptionContext, subscription: SubscriptionRow) {
  const { db, clock, calendar } = context;
  const until = graceAfter(clock.now(), calendar);
  const change = { ended_at: null, grace_until: until.toISOString() };
  const reopened = await updateSubscription(db, subscription.uid, change);
  await awaitCreditAgain(context, reopened);
  await scheduleEnd(context, reopened, until);
  await scheduleLastNotice(context, reopened, until);
  return true;
}
