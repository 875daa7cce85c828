import type { z } from "zod/v4";
import type { unsubscribing } from "../../../app/contract/subscriptions";
import { lockAccount } from "../accounts/lock";
import { notFound, Refusal } from "../http/refusal";
import type { Reader } from "../http/types";
import { inTransaction, type World } from "./world";
import { endLapsed, endSubscription } from "./end";
import { write } from "./letters";
import { closeOpenPage } from "./open-page";
import {
  isRenewalScheduled,
  scheduleDeletion,
  scheduleEnd,
  schedulePeriod,
  scheduleRenewal,
} from "./schedule";
import { findRunning, findStoppable, type Subscription } from "./lookup";
import { hasUndecided, updateSubscription } from "./store";
import { graceAfter, nextRetry } from "./terms";
import type { Life } from "./world";

type Unsubscribing = z.infer<typeof unsubscribing>;

/**
 * Renews no more, at the subscriber's wish.
 * @throws Refusal 404 without a subscription that can be stopped, 409 when it was stopped before
 */
export async function unsubscribe(world: World, reader: Reader): Promise<Unsubscribing> {
  const stopped = await inTransaction(world, async (life) => {
    await lockAccount(life.db, reader.uid);
    const at = life.clock.now();
    const subscription = await findStoppable(life.db, reader.uid, at);
    if (!subscription) throw notFound("No running subscription");
    if (subscription.cancelled_at) throw new Refusal(409, "Already stopped");
    const { endsAt, isOver } = await stopRenewal(life, subscription, at);
    await write(life, subscription, `stop:${subscription.uid}:${at.toISOString()}`, (site) => ({
      ...{ kind: "stop-confirmed", site, endsAt },
    }));
    return { status: isOver ? "ended" : "in process", endsAt } as const;
  });
  await closeOpenPage(world, reader.uid);
  return stopped;
}

/**
 * Stops a running subscription as of a moment. Access lasts until the end of what is paid; of a period
 * that is due and unpaid until the end of its grace, without another try: anybody may send a notice,
 * so that a stop never takes away what its undoing could not give back. One on hold is not renewed
 * either should its money return.
 */
export async function stopRenewal(life: Life, subscription: Subscription, at: Date) {
  const { uid, expires_at, grace_until, ended_at } = subscription;
  if (ended_at) return stopOnHold(life, subscription, ended_at, at);
  const isUnpaid = await isUnpaidAt(life, subscription, at);
  const stopped = await updateSubscription(life.db, uid, {
    cancelled_at: at.toISOString(),
    ...(!isUnpaid && { grace_until: null }),
  });
  const endsAt = new Date((isUnpaid && grace_until) || expires_at);
  const isOver = endsAt <= life.clock.now();
  if (isOver) await endSubscription(life, stopped, { at: endsAt });
  else if (isUnpaid) await scheduleEnd(life, stopped, endsAt);
  return { isOver, endsAt: endsAt.toISOString() };
}

/** What was stopped in time is not due, unless a try was made before the notice took effect. */
async function isUnpaidAt({ db, clock }: Life, subscription: Subscription, at: Date) {
  const { expires_at, renewal_attempts } = subscription;
  if (expires_at > clock.now().toISOString()) return false;
  if (expires_at <= at.toISOString() || renewal_attempts > 0) return true;
  return hasUndecided(db, subscription, ["renewal"]);
}

async function stopOnHold(life: Life, { uid }: Subscription, endsAt: string, at: Date) {
  const stopped = await updateSubscription(life.db, uid, { cancelled_at: at.toISOString() });
  await scheduleDeletion(life, stopped);
  return { isOver: true, endsAt };
}

/** One of several stops is taken back: the subscription is stopped since another of them. */
export async function stopSince({ db }: Life, { uid }: Subscription, cancelled_at: string | null) {
  await updateSubscription(db, uid, { cancelled_at });
}

/**
 * Takes a stop back: whatever becomes of the subscription, its owner does not leave. A running one is
 * what it was, an unpaid one with the rest of its grace and its tries. What ended with what was paid
 * begins again with a period that is due now; what ended unpaid stays over.
 * False when it does not go on: it is over, on hold, or something else was bought since.
 */
export async function resumeRenewal(life: Life, subscription: Subscription): Promise<boolean> {
  const resumed = await updateSubscription(life.db, subscription.uid, { cancelled_at: null });
  const { ended_at, ended_by_payment } = resumed;
  if (ended_by_payment !== null) return false;
  return ended_at === null ? goOn(life, resumed) : beginAgain(life, resumed, ended_at);
}

async function goOn(life: Life, subscription: Subscription): Promise<boolean> {
  const { db, calendar, clock } = life;
  const { uid, account_uid, expires_at, grace_until } = subscription;
  if (grace_until === null) {
    const until = graceAfter(new Date(expires_at), calendar).toISOString();
    await updateSubscription(db, uid, { grace_until: until });
    return true;
  }
  await endLapsed(life, account_uid);
  if (grace_until <= clock.now().toISOString()) return false;
  await resumeTries(life, subscription);
  return true;
}

/** The next try of the schedule; none is made up for, as none was given away. */
async function resumeTries(life: Life, subscription: Subscription) {
  const { calendar, clock } = life;
  const { uid, expires_at: due, grace_until, renewal_needs, renewal_attempts } = subscription;
  const work = { subscriptionUid: uid, due, attempt: renewal_attempts };
  if (await isRenewalScheduled(life, work)) return;
  if (renewal_attempts === 0) return scheduleRenewal(life, { ...work, putOff: 1 }, clock.now());
  if (renewal_needs === "confirmation" || grace_until === null) return;
  const retryAt = nextRetry(new Date(grace_until), clock.now(), calendar);
  if (retryAt) await scheduleRenewal(life, work, retryAt);
}

async function beginAgain(life: Life, subscription: Subscription, endedAt: string) {
  const { db, clock, calendar } = life;
  const { uid, account_uid, expires_at, card_reference } = subscription;
  const endedWithPeriod = endedAt === expires_at;
  // A running period is paid, whatever card pays the next; what begins again is charged at once.
  if (!endedWithPeriod || !card_reference || (await findRunning(db, account_uid))) return false;
  const due = clock.now();
  const resumed = await updateSubscription(db, uid, {
    ...{ ended_at: null, renewal_attempts: 0 },
    ...{ expires_at: due.toISOString(), anchor_at: due.toISOString() },
    grace_until: graceAfter(due, calendar).toISOString(),
  });
  await schedulePeriod(life, resumed);
  return true;
}
