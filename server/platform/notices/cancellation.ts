import { DAY_MS } from "../ports/durations";
import { z } from "zod/v4";
import { enqueue } from "../jobs/queue";
import { JobWaiting } from "../jobs/runner";
import type { Letter, Notice as Facts, Site } from "../mail/letters";
import { links } from "../mail/links";
import { findTrustedSite } from "../mail/site";
import { hashSecret, newSecret } from "../ports/ids";
import { bringUpToDate, confirmStop, isDebitFirst, stopRenewal } from "../subscriptions/stop";
import {
  endOfStopped,
  isStoppable,
  lockSubscription,
  type Subscription,
} from "../subscriptions/lookup";
import { endOfPeriodAt } from "../subscriptions/terms";
import { startOfDay } from "../../../app/contract/calendar";
import { inTransaction } from "../database/transaction";
import { lockContract } from "./contract";
import { mailChange, mailWithoutEffect, reserveMailTime } from "./letters";
import { findNotice, findOpenNotices, updateNotice, type Notice } from "./store";
import type { SubscriptionContext } from "../subscriptions/context";

/** Kind of the job that stops a contract on the wished day of a cancellation. */
export const STOP_ON_WISHED_DAY = "notice.stop";

const work = z.object({ noticeUid: z.string() });

const UNDO_DAYS = 7;

/** After which a stop looks again whether the debit that was due before it has been tried. */
const AFTER_DEBIT_MS = 10_000;

/**
 * Stops the renewal as the account page does: as of the moment the notice came, or on the day it
 * wishes where that lies in a later period. What an open notice does already is not
 * done twice, nor told twice: its mail has the way back.
 * @param readerUid of who is signed in
 * @returns the notice that holds
 */
export async function receiveCancellation(
  context: SubscriptionContext,
  notice: Notice,
  readerUid: string | null,
): Promise<Notice> {
  const isRepeat = notice.repeats_uid !== null;
  const subscription = await lockContract(context, notice);
  if (!subscription || !isStoppable(subscription, context.clock.now())) {
    if (!isRepeat) await mailNothingFound(context, notice);
    return notice;
  }
  const stopsAt = stopTimeOf(notice, subscription);
  const open = await findOpenNotices(context.db, subscription.uid, context.clock.now());
  const inEffect = open.find(
    ({ kind, stops_at }) => kind === "cancellation" && stops_at && stops_at <= stopsAt,
  );
  if (inEffect) return inEffect;
  if (subscription.cancelled_at && !open.some(({ stops_at }) => isStopOf(subscription, stops_at))) {
    if (!isRepeat) await mailStoppedBefore(context, notice, subscription);
    return notice;
  }
  const isOwner = subscription.account_uid === readerUid;
  const mailedAt = isOwner
    ? context.clock.now()
    : await reserveMailTime(context, notice, subscription);
  await stopByNotice(context, notice, subscription, { stopsAt, mailedAt });
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
export const isStopOf = ({ cancelled_at }: Subscription, stopsAt: string | null) =>
  stopsAt !== null && cancelled_at === stopsAt;

/** The time of the stop. A wished day in the paid period means now: no renewal comes before it. */
function stopTimeOf({ wished_date, received_at }: Notice, { expires_at }: Subscription): string {
  if (!wished_date) return received_at;
  // Noon UTC is the same day in Paris.
  const wished = startOfDay(new Date(`${wished_date}T12:00:00Z`)).toISOString();
  return wished < expires_at || wished <= received_at ? received_at : wished;
}

type Stop = { stopsAt: string; mailedAt: Date };

async function stopByNotice(
  context: SubscriptionContext,
  notice: Notice,
  subscription: Subscription,
  { stopsAt, mailedAt }: Stop,
) {
  const trusted = await findTrustedSite(context, subscription.origin, notice.origin);
  const secret = newSecret();
  const linkFrom = Math.max(Date.parse(stopsAt), mailedAt.getTime());
  const undoUntil = new Date(linkFrom + UNDO_DAYS * DAY_MS).toISOString();
  const isPlanned = stopsAt !== notice.received_at;
  const endsAt = isPlanned
    ? await planStop(context, notice, subscription, new Date(stopsAt))
    : await stopNow(context, notice, subscription);
  await updateNotice(context.db, notice.uid, {
    subscription_uid: subscription.uid,
    stops_at: stopsAt,
    undo_hash: hashSecret(secret),
    undo_until: undoUntil,
  });
  const compose = (site: Site, facts: Facts): Letter => ({
    kind: "cancellation-receipt",
    site,
    notice: facts,
    endsAt,
    undoUntil,
    isPlanned,
    undoUrl: links.undoCancellation(trusted, secret),
  });
  await mailChange(context, notice, subscription, compose, mailedAt);
}

/**
 * Stops the renewal now. If an open withdrawal already stopped it, it stays stopped when that is
 * undone.
 */
async function stopNow(context: SubscriptionContext, notice: Notice, subscription: Subscription) {
  if (subscription.cancelled_at) return endOfStopped(subscription);
  const { endsAt } = await stopRenewal(context, subscription, new Date(notice.received_at));
  return endsAt;
}

async function planStop(
  context: SubscriptionContext,
  { uid }: Notice,
  subscription: Subscription,
  at: Date,
) {
  const payload = { noticeUid: uid };
  await enqueue(context.db, {
    kind: STOP_ON_WISHED_DAY,
    key: `${STOP_ON_WISHED_DAY}:${uid}`,
    payload,
    runAt: at,
  });
  return endOfPeriodAt(subscription, at, context.calendar).toISOString();
}

const mailNothingFound = (context: SubscriptionContext, notice: Notice) =>
  mailWithoutEffect(context, notice, undefined, (site, facts) => ({
    kind: "cancellation-without-effect",
    site,
    notice: facts,
    endsAt: null,
  }));

const mailStoppedBefore = (
  context: SubscriptionContext,
  notice: Notice,
  subscription: Subscription,
) =>
  mailWithoutEffect(context, notice, subscription, (site, facts) => ({
    kind: "cancellation-without-effect",
    site,
    notice: facts,
    endsAt: endOfStopped(subscription),
  }));
