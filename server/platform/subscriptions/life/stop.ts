import type { z } from "zod/v4";
import type { unsubscribing } from "../../../../app/contract/subscriptions";
import { lockAccount } from "../../accounts/lock";
import { notFound, Refusal } from "../../http/refusal";
import type { Reader } from "../../http/types";
import { inTransaction, type World } from "../world";
import { endSubscription } from "./end";
import { write } from "./letters";
import { closeOpenPage } from "./open-page";
import { scheduleDeletion, schedulePeriod } from "./schedule";
import {
  findRunning,
  findStoppable,
  findUndecided,
  updateSubscription,
  type Subscription,
} from "./store";
import { graceAfter } from "./terms";
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
 * Stops a running subscription from now on. Access lasts until the end of what is paid; of a period
 * that is due and unpaid nothing is left, unless the bank is deciding on its charge. One on hold is
 * not renewed either should its money return.
 */
export async function stopRenewal(life: Life, subscription: Subscription, now: Date) {
  if (subscription.ended_at) return stopOnHold(life, subscription, subscription.ended_at, now);
  const isDue = subscription.expires_at <= now.toISOString();
  const undecided = isDue && (await findUndecided(life.db, subscription))?.kind === "renewal";
  const stopped = await updateSubscription(life.db, subscription.uid, {
    cancelled_at: now.toISOString(),
    ...(!isDue && { grace_until: null }),
  });
  const isOver = isDue && !undecided;
  if (isOver) await endSubscription(life, stopped, { at: now });
  return { isOver, endsAt: isOver ? now.toISOString() : subscription.expires_at };
}

async function stopOnHold(life: Life, { uid }: Subscription, endsAt: string, now: Date) {
  const stopped = await updateSubscription(life.db, uid, { cancelled_at: now.toISOString() });
  await scheduleDeletion(life, stopped);
  return { isOver: true, endsAt };
}

/**
 * Takes a stop back. What has ended in the meantime begins again with a period that is due now,
 * except where its payment went back: it goes on only if the money returns.
 * False when it does not go on: it is on hold, or something else was bought since.
 */
export async function resumeRenewal(life: Life, subscription: Subscription): Promise<boolean> {
  const { db, clock, calendar } = life;
  const { uid, account_uid, ended_at, ended_by_payment } = subscription;
  if (ended_by_payment !== null) {
    await updateSubscription(db, uid, { cancelled_at: null });
    return false;
  }
  const running = await findRunning(db, account_uid);
  if (running && running.uid !== uid) return false;
  // A running period is paid, whatever card pays the next; what begins again is charged at once.
  if (ended_at && !subscription.card_reference) return false;
  const due = ended_at ? clock.now() : new Date(subscription.expires_at);
  const resumed = await updateSubscription(db, uid, {
    ...{ cancelled_at: null, ended_at: null },
    grace_until: graceAfter(due, calendar).toISOString(),
    ...(ended_at && { expires_at: due.toISOString(), anchor_at: due.toISOString() }),
    ...(ended_at && { renewal_attempts: 0 }),
  });
  if (ended_at) await schedulePeriod(life, resumed);
  return true;
}
