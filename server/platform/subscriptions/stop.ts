import { graceAfter } from "../../../app/contract/periods";
import type { z } from "zod/v4";
import type { unsubscribing } from "../../../app/contract/subscriptions";
import { lockAccount } from "../accounts/lock";
import { notFound, Refusal } from "../http/refusal";
import type { Principal } from "../http/types";
import { inTransaction } from "../database/transaction";
import { endLapsed, endSubscription } from "./end";
import { mailOwner } from "./letters";
import { closeOpenPage, scheduleClosing } from "./open-page";
import {
  renewalScheduledAt,
  scheduleDeletion,
  scheduleEnd,
  schedulePeriod,
  scheduleRenewal,
} from "./schedule";
import { findRunning, findStoppable, type Subscription } from "./lookup";
import { hasUndecided, updateSubscription } from "./store";
import { nextRetry } from "./terms";
import type { PaymentContext, SubscriptionContext } from "./context";

type Unsubscribing = z.infer<typeof unsubscribing>;

/**
 * Renews no more, at the subscriber's wish.
 * @throws Refusal 404 without a subscription that can be stopped, 409 when it was stopped before
 */
export async function unsubscribe(
  context: PaymentContext,
  principal: Principal,
): Promise<Unsubscribing> {
  const stopped = await inTransaction(context, async (context) => {
    await lockAccount(context.db, principal.uid);
    const at = context.clock.now();
    const subscription = await findStoppable(context.db, principal.uid, at);
    if (!subscription) throw notFound("No running subscription");
    if (subscription.cancelled_at) throw new Refusal(409, "Already stopped");
    const { endsAt, isOver } = await stopRenewal(context, subscription, at);
    await mailOwner(
      context,
      subscription,
      `stop:${subscription.uid}:${at.toISOString()}`,
      (site) => ({
        kind: "stop-confirmed",
        site,
        endsAt,
      }),
    );
    await scheduleClosing(context, principal.uid);
    return { status: isOver ? "ended" : "in process", endsAt } as const;
  });
  await closeOpenPage(context, principal.uid);
  return stopped;
}

/**
 * Stops a running subscription as of a moment. Access lasts until the end of what is paid; of a period
 * that is due and unpaid until the end of its grace, without another try: anybody may send a notice,
 * so that a stop never takes away what its undoing could not give back. One on hold is not renewed
 * either should its money return.
 */
export async function stopRenewal(
  context: SubscriptionContext,
  subscription: Subscription,
  at: Date,
) {
  const { uid, expires_at, grace_until, ended_at } = subscription;
  if (ended_at) return stopOnHold(context, subscription, ended_at, at);
  const isUnpaid = await isUnpaidAt(context, subscription, at);
  const stopped = await updateSubscription(context.db, uid, {
    cancelled_at: at.toISOString(),
    ...(!isUnpaid && { grace_until: null }),
  });
  const endsAt = new Date((isUnpaid && grace_until) || expires_at);
  const isOver = endsAt <= context.clock.now();
  if (isOver) await endSubscription(context, stopped, { at: endsAt });
  else if (isUnpaid) await scheduleEnd(context, stopped, endsAt);
  return { isOver, endsAt: endsAt.toISOString() };
}

/** What was stopped in time is not due, unless a try was made before the notice took effect. */
async function isUnpaidAt(
  { db, clock }: SubscriptionContext,
  subscription: Subscription,
  at: Date,
) {
  const { expires_at, renewal_attempts } = subscription;
  if (expires_at > clock.now().toISOString()) return false;
  if (expires_at <= at.toISOString() || renewal_attempts > 0) return true;
  return hasUndecided(db, subscription, ["renewal"]);
}

async function stopOnHold(
  context: SubscriptionContext,
  { uid }: Subscription,
  endsAt: string,
  at: Date,
) {
  const stopped = await updateSubscription(context.db, uid, { cancelled_at: at.toISOString() });
  await scheduleDeletion(context, stopped);
  return { isOver: true, endsAt };
}

/** One of several stops is taken back: the subscription is stopped since another of them. */
export async function stopSince(
  { db }: SubscriptionContext,
  { uid }: Subscription,
  cancelled_at: string | null,
) {
  await updateSubscription(db, uid, { cancelled_at });
}

/**
 * Takes a stop back: whatever becomes of the subscription, its owner does not leave. A running one is
 * what it was, an unpaid one with the rest of its grace and its tries. What ended with what was paid
 * begins again with a period that is due now; what ended unpaid stays over.
 * False when it does not go on: it is over, on hold, or something else was bought since.
 */
export async function resumeRenewal(
  context: SubscriptionContext,
  subscription: Subscription,
): Promise<boolean> {
  const resumed = await updateSubscription(context.db, subscription.uid, { cancelled_at: null });
  const { ended_at, ended_by_payment } = resumed;
  if (ended_by_payment !== null) return false;
  return ended_at === null ? goOn(context, resumed) : beginAgain(context, resumed, ended_at);
}

async function goOn(context: SubscriptionContext, subscription: Subscription): Promise<boolean> {
  const { db, calendar, clock } = context;
  const { uid, account_uid, expires_at, grace_until } = subscription;
  if (grace_until === null) {
    const until = graceAfter(new Date(expires_at), calendar).toISOString();
    await updateSubscription(db, uid, { grace_until: until });
    return true;
  }
  await endLapsed(context, account_uid);
  if (grace_until <= clock.now().toISOString()) return false;
  await resumeTries(context, subscription);
  return true;
}

/** The next try of the schedule; none is made up for, as none was given away. */
async function resumeTries(context: SubscriptionContext, subscription: Subscription) {
  const { calendar, clock } = context;
  const { uid, expires_at: due, grace_until, renewal_needs, renewal_attempts } = subscription;
  const work = { subscriptionUid: uid, due, attempt: renewal_attempts };
  if ((await renewalScheduledAt(context, work)) !== null) return;
  if (renewal_attempts === 0) return scheduleRenewal(context, { ...work, putOff: 1 }, clock.now());
  if (renewal_needs === "confirmation" || grace_until === null) return;
  const retryAt = nextRetry(new Date(grace_until), clock.now(), calendar);
  if (retryAt) await scheduleRenewal(context, work, retryAt);
}

async function beginAgain(
  context: SubscriptionContext,
  subscription: Subscription,
  endedAt: string,
) {
  const { db, clock, calendar } = context;
  const { uid, account_uid, expires_at, card_reference } = subscription;
  const endedWithPeriod = endedAt === expires_at;
  // A running period is paid, whatever card pays the next; what begins again is charged at once.
  if (!endedWithPeriod || !card_reference || (await findRunning(db, account_uid))) return false;
  const due = clock.now();
  const resumed = await updateSubscription(db, uid, {
    ended_at: null,
    renewal_attempts: 0,
    expires_at: due.toISOString(),
    anchor_at: due.toISOString(),
    grace_until: graceAfter(due, calendar).toISOString(),
  });
  await schedulePeriod(context, resumed);
  return true;
}
