import { z } from "zod/v4";
import { enqueue } from "../jobs/queue";
import { JobWaiting } from "../jobs/runner";
import type { Letter, LetterOf, Notice as Facts, Site } from "../mail/letters";
import { links } from "../mail/links";
import { findTrustedSite } from "../mail/site";
import { hashSecret, newSecret } from "../ports/ids";
import { readStoppedCredit } from "../subscriptions/credit-prospects";
import { mayEndUnpaid } from "../subscriptions/due";
import { bringUpToDate, confirmStop, isDebitFirst, stopRenewal } from "../subscriptions/stop";
import { endOfStopped, isStoppable } from "../subscriptions/lookup";
import { lockSubscription, type SubscriptionRow } from "../database/subscription-row";
import { countDebitsUntil, endOfPeriodAt, endPlannedBy } from "../subscriptions/contract-periods";
import { findNextStop } from "../subscriptions/planned-stop";
import { isEndableAtOnce } from "../subscriptions/unannounced";
import { readUndecidedAmount } from "../money/undecided-debit";
import { wishedStop } from "../../../app/contract/wished-stop";
import { inTransaction } from "../database/transaction";
import { countsFrom, lockContract, type FoundContract } from "./contract";
import { coverNotice, findCover } from "./cover";
import { mailChange, mailOutcome, mailWithoutEffect, reserveSlotOf } from "./letters";
import { undoLimitOf, undoLimitUnsent } from "./mail-time";
import { findCovering } from "./receive";
import { findNotice, findOpenNotices, updateNotice, type Notice } from "./store";
import { readRightUntil } from "../subscriptions/open-withdrawal";
import { isOwnNotice } from "../subscriptions/unsigned-stop";
import { mailNothingFound } from "./undecided-order";
import type { SubscriptionContext } from "../subscriptions/context";

/** Kind of the job that stops a contract on the wished day of a cancellation. */
export const STOP_ON_WISHED_DAY = "notice.stop";

const work = z.object({ noticeUid: z.string() });

/** Pause before a stop looks again whether the debit that was due before it has been tried. */
const AFTER_DEBIT_MS = 10_000;

/**
 * Stops the renewal as the account page does: as of the moment the notice came, or on the day it
 * wishes where that lies in a later period. Each notice is a stop of its own, with
 * its own mail and link, also where another one stops the contract already.
 * @param principalUid of the signed-in person
 * @returns the notice that holds
 */
export async function receiveCancellation(
  context: SubscriptionContext,
  notice: Notice,
  principalUid: string | null,
): Promise<Notice> {
  const covering = await findCovering(context, notice, principalUid);
  if (covering) return covering;
  const found = await lockContract(context, notice, principalUid);
  if (!found || !isStoppable(found.subscription, context.clock.now())) {
    await mailNothingFound(context, notice);
    return notice;
  }
  const { subscription } = found;
  const open = await findOpenNotices(context.db, subscription.uid, context.clock.now());
  if (subscription.cancelled_at && !open.some(({ stops_at }) => isStopOf(subscription, stops_at))) {
    await mailStoppedBefore(context, notice, found);
    return notice;
  }
  const isOwner = subscription.account_uid === principalUid;
  const stopsAt = stopTimeOf(notice, subscription);
  const cover = isOwner ? undefined : await findCover(context, notice, subscription, stopsAt);
  await (cover
    ? coverNotice(context, notice, found, cover)
    : stopByNotice(context, notice, found, { isOwner }));
  return notice;
}

/** Stops the contract on the wished day, unless the notice was undone. */
export async function stopOnWishedDay(context: SubscriptionContext, payload: unknown) {
  const { noticeUid } = work.parse(payload);
  await inTransaction(context, async (context) => {
    const { subscription_uid } = await findNotice(context.db, noticeUid);
    const subscription = subscription_uid && (await lockSubscription(context.db, subscription_uid));
    const notice = await findNotice(context.db, noticeUid);
    const now = context.clock.now();
    if (!subscription || subscription.cancelled_at || notice.undone_at || !notice.stops_at) return;
    // A contract that ended unpaid must not be restarted by the undo link of this notice.
    if (!isStoppable(subscription, now)) return;
    const stop = { noticeUid, stopsAt: notice.stops_at };
    if (await isDebitFirst(context, subscription, stop)) {
      const later = new Date(now.getTime() + AFTER_DEBIT_MS);
      throw new JobWaiting("The debit that was due before the stop comes first", later);
    }
    if (subscription.ended_at) await confirmStop(context, subscription, stop);
    else await bringUpToDate(context, subscription.account_uid);
  });
}

/** Tells whether the contract was stopped by the notice with this stop time. */
export const isStopOf = ({ cancelled_at }: SubscriptionRow, stopsAt: string | null) =>
  stopsAt !== null && cancelled_at === stopsAt;

/** The time of the stop: now, or the start of the wished day. */
function stopTimeOf(notice: Notice, subscription: SubscriptionRow): string {
  const atOnce = countsFrom(notice, subscription);
  const paidUntil = new Date(subscription.expires_at);
  const stop = wishedStop(notice.wished_date, { paidUntil, receivedAt: new Date(atOnce) });
  return stop?.toISOString() ?? atOnce;
}

/** `isStopped`: another notice that stays in effect stops the contract already. */
type Stopping = { isOwner: boolean; isStopped?: boolean };

/** Stops the contract, now or on the wished day, and mails the receipt with the link that undoes it. */
export async function stopByNotice(
  context: SubscriptionContext,
  notice: Notice,
  found: FoundContract,
  { isOwner, isStopped = found.subscription.cancelled_at !== null }: Stopping,
) {
  const { subscription } = found;
  const stopsAt = stopTimeOf(notice, subscription);
  const { slot, sendAt } = isOwner
    ? { slot: null, sendAt: context.clock.now() }
    : await reserveSlotOf(context, notice, subscription, stopsAt);
  const isPlanned = stopsAt !== countsFrom(notice, subscription);
  const lost = await readLost(context, subscription, { endsNow: !isPlanned || isStopped });
  const isUnannounced = await isEndableAtOnce(context, subscription);
  const endsAt = isPlanned
    ? await planStop(context, notice, subscription, new Date(stopsAt))
    : await stopNow(context, notice, subscription);
  const isOver = subscription.ended_at !== null;
  const outcome = { isPlanned, isStopped, isOver, endsAt, isUnannounced, ...lost };
  const receipt = { ...outcome, stopsAt, slot, sendAt };
  await updateNotice(context.db, notice.uid, {
    subscription_uid: subscription.uid,
    repeats_uid: null,
    stops_at: stopsAt,
  });
  await mailLink(context, notice, found, receipt, mailChange);
}

/** What a stop ends at once. The debits before a planned stop are made. */
async function readLost(
  context: SubscriptionContext,
  subscription: SubscriptionRow,
  { endsNow }: { endsNow: boolean },
) {
  return {
    credit: endsNow ? await readStoppedCredit(context, subscription) : null,
    undecidedDebit: endsNow ? await readUndecidedAmount(context.db, subscription) : null,
  };
}

/** Mails the receipt again, with another link, of a cancellation that is open. */
export async function mailCancellationAgain(
  context: SubscriptionContext,
  notice: Notice,
  found: FoundContract,
) {
  const { subscription } = found;
  const { ended_at, cancelled_at } = subscription;
  const stopsAt = notice.stops_at ?? stopTimeOf(notice, subscription);
  const isPlanned = stopsAt !== countsFrom(notice, subscription);
  const isStopped = cancelled_at !== null && !isStopOf(subscription, stopsAt);
  const { slot, sendAt } = isOwnNotice(context, notice, subscription.account_uid)
    ? { slot: null, sendAt: context.clock.now() }
    : await reserveSlotOf(context, notice, subscription, stopsAt);
  const lost = await readLost(context, subscription, { endsNow: cancelled_at !== null });
  const isOver = ended_at !== null && ended_at <= notice.received_at;
  const endsAt = endOfStopped(subscription);
  const isUnannounced = await isEndableAtOnce(context, subscription);
  const outcome = { isPlanned, isStopped, isOver, endsAt, isUnannounced, ...lost };
  const receipt = { ...outcome, stopsAt, slot, sendAt };
  await mailLink(context, notice, found, receipt, mailOutcome);
}

type Receipt = Pick<
  LetterOf<"cancellation-receipt">,
  "isPlanned" | "isStopped" | "isOver" | "endsAt" | "credit" | "undecidedDebit" | "isUnannounced"
> & { stopsAt: string; slot: string | null; sendAt: Date };

/** Gives the cancellation a link, and mails it. */
async function mailLink(
  context: SubscriptionContext,
  notice: Notice,
  found: FoundContract,
  { stopsAt, endsAt, slot, sendAt, ...facts }: Receipt,
  mail: typeof mailChange,
) {
  const { subscription } = found;
  const trusted = await findTrustedSite(context, subscription.origin, notice.origin);
  const secret = newSecret();
  const timed = { ...notice, stops_at: stopsAt };
  await updateNotice(context.db, notice.uid, {
    undo_hash: hashSecret(secret),
    undo_until: undoLimitUnsent(timed, sendAt).toISOString(),
    mail_slot: slot,
  });
  const plannedEnd = endOfPeriodAt(subscription, new Date(stopsAt), context.calendar).toISOString();
  const { isPlanned, isStopped, isOver } = facts;
  const goesOn = isPlanned && !isStopped && !isOver;
  // A day that is wished of a contract on hold stops it only if it goes on by then.
  const closedAt = isPlanned && isOver ? subscription.ended_at : null;
  const soonerEnd = goesOn ? await findSoonerEnd(context, notice, subscription, plannedEnd) : null;
  const accessEnd = goesOn ? (soonerEnd ?? plannedEnd) : (closedAt ?? endsAt);
  const isPaid = subscription.expires_at > context.clock.now().toISOString();
  const isUnpaid = mayEndUnpaid(subscription, context.clock.now());
  const count = countDebitsUntil(new Date(accessEnd), subscription, context.calendar);
  const rightUntil = await readRightUntil(context, subscription);
  const compose = (site: Site, named: Facts): Letter => ({
    kind: "cancellation-receipt",
    site,
    notice: named,
    ...facts,
    endsAt: accessEnd,
    ...(soonerEnd !== null && { endsSooner: true }),
    undoUntil: null,
    plannedEnd,
    isUnpaid,
    withdrawableUntil: rightUntil,
    debitsAhead: goesOn && !isUnpaid ? { count, amount: subscription.amount } : null,
    // In the days of grace no paid period is left: what is due is debited as before.
    isUndoableAfterEnd: isPaid && undoLimitOf(timed, sendAt).toISOString() > accessEnd,
    undoUrl: links.undoCancellation(trusted, secret),
  });
  await mail(context, notice, found, compose, sendAt);
}

/** The end that another declaration plans before the one of this; null without one. */
async function findSoonerEnd(
  { db, calendar }: SubscriptionContext,
  { uid }: Notice,
  subscription: SubscriptionRow,
  plannedEnd: string,
): Promise<string | null> {
  const stop = await findNextStop(db, subscription, { besides: uid });
  const end = stop && endPlannedBy(subscription, stop.stopsAt, calendar);
  return end && end < plannedEnd ? end : null;
}

/** Stops the renewal now. Where another notice stopped it, it stays stopped when that is undone. */
async function stopNow(
  context: SubscriptionContext,
  notice: Notice,
  subscription: SubscriptionRow,
) {
  if (subscription.cancelled_at) return endOfStopped(subscription);
  const { endsAt } = await stopRenewal(
    context,
    subscription,
    new Date(countsFrom(notice, subscription)),
  );
  return endsAt;
}

async function planStop(
  context: SubscriptionContext,
  { uid }: Notice,
  subscription: SubscriptionRow,
  at: Date,
) {
  const payload = { noticeUid: uid };
  await enqueue(context.db, {
    kind: STOP_ON_WISHED_DAY,
    key: `${STOP_ON_WISHED_DAY}:${uid}`,
    payload,
    runAt: at,
  });
  // Another notice stops it before, so that no later period begins.
  if (subscription.cancelled_at) return endOfStopped(subscription);
  return endOfPeriodAt(subscription, at, context.calendar).toISOString();
}

async function mailStoppedBefore(
  context: SubscriptionContext,
  notice: Notice,
  found: FoundContract,
) {
  const undecidedDebit = await readUndecidedAmount(context.db, found.subscription);
  const isUnannounced = await isEndableAtOnce(context, found.subscription);
  const rightUntil = await readRightUntil(context, found.subscription);
  await mailWithoutEffect(context, notice, found, (site, facts) => ({
    kind: "cancellation-without-effect",
    site,
    notice: facts,
    endsAt: endOfStopped(found.subscription),
    undecidedDebit,
    isUnannounced,
    withdrawableUntil: rightUntil,
  }));
}
