import { z } from "zod/v4";
import type { withdrawing } from "../../../app/contract/subscriptions";
import { enqueue } from "../jobs/queue";
import type { Letter, Notice as Facts, Site } from "../mail/letters";
import { links } from "../mail/links";
import { trustedSiteOf } from "../mail/site";
import { hashSecret, newSecret } from "../ports/ids";
import { stopRenewal } from "../subscriptions/stop";
import { lockSubscription, type Subscription } from "../subscriptions/lookup";
import { withdraw } from "../subscriptions/withdrawal";
import { inTransaction } from "../subscriptions/world";
import { isWithdrawable, lockContract } from "./contract";
import { answer, answerWithoutEffect, nextMailAt } from "./letters";
import { badLink, findBySecret, findNotice, findOpen, updateNotice, type Notice } from "./store";
import type { Life, World } from "./world";

/** Kind of the job that gives the money back where nobody undid the notice. */
export const REFUNDING = "notice.refund";

const work = z.object({ noticeUid: z.string() });

const DAY_MS = 24 * 3_600_000;
/** Leaves a week of the fourteen days in which the money has to be back (L221-24). */
const UNDO_DAYS = 7;

/**
 * Anybody may send a notice, and money moves: billing stops at once, and what was paid goes back at
 * once for who is signed in to the account. Otherwise it goes back when the link mailed to the
 * contract's address is used, or a week later unless that link undid it.
 * @param readerUid of who is signed in
 * @returns the notice that holds
 */
export async function receiveWithdrawal(
  life: Life,
  notice: Notice,
  readerUid: string | null,
): Promise<Notice> {
  const isRepeat = notice.repeats_uid !== null;
  const subscription = await lockContract(life, notice);
  if (!subscription) {
    if (!isRepeat) await tellNothingFound(life, notice);
    return notice;
  }
  if (subscription.withdrawn_at || !isWithdrawable(subscription, notice)) {
    if (!isRepeat) await tellOutcome(life, notice, subscription);
    return notice;
  }
  if (subscription.account_uid === readerUid) {
    await takeEffect(life, notice, subscription);
    return notice;
  }
  const open = await findOpen(life.db, subscription.uid, life.clock.now());
  const holding = open.find(({ kind }) => kind === "withdrawal");
  if (!holding) await askConfirmation(life, notice, subscription);
  return holding ?? notice;
}

/**
 * The money goes back now instead of at the end of the week.
 * @throws Refusal 400 for a link that is unknown, too old or undone
 */
export async function confirmWithdrawal(
  world: World,
  secret: string,
): Promise<z.infer<typeof withdrawing>> {
  return inTransaction(world, async (life) => {
    const linked = await findBySecret(life.db, "withdrawal", secret);
    const held = linked && (await lockLinked(life, linked));
    if (!held || held.notice.undone_at) throw badLink();
    const { notice, subscription } = held;
    if (notice.confirmed_at) return { status: "confirmed" };
    if ((notice.undo_until ?? "") <= life.clock.now().toISOString()) throw badLink();
    await takeEffect(life, notice, subscription);
    return { status: "confirmed" };
  });
}

/** Work of the job at the end of the week. */
export async function refundUnlessUndone(world: World, payload: unknown) {
  const { noticeUid } = work.parse(payload);
  await inTransaction(world, async (life) => {
    const held = await lockLinked(life, await findNotice(life.db, noticeUid));
    if (!held || held.notice.undone_at || held.notice.confirmed_at) return;
    await takeEffect(life, held.notice, held.subscription);
  });
}

/** A notice and its contract, read once nobody else can change them. */
async function lockLinked(life: Life, { uid, subscription_uid }: Notice) {
  const subscription = subscription_uid && (await lockSubscription(life.db, subscription_uid));
  return subscription ? { notice: await findNotice(life.db, uid), subscription } : undefined;
}

/** Whatever other withdrawals of the contract wait for is done with it. */
async function takeEffect(life: Life, notice: Notice, subscription: Subscription) {
  const now = life.clock.now();
  const open = await findOpen(life.db, subscription.uid, now);
  const refunded = await withdraw(life, subscription);
  const done = open.filter(({ kind }) => kind === "withdrawal").map(({ uid }) => uid);
  for (const uid of new Set([notice.uid, ...done])) {
    await updateNotice(life.db, uid, {
      ...{ subscription_uid: subscription.uid, confirmed_at: now.toISOString() },
    });
  }
  await answer(life, notice, subscription, (site, facts) => ({
    ...{ kind: "withdrawal-receipt", site, notice: facts, refunded },
  }));
}

async function askConfirmation(life: Life, notice: Notice, subscription: Subscription) {
  const trusted = await trustedSiteOf(life, subscription.origin, notice.origin);
  const secret = newSecret();
  const refundAt = new Date(Date.parse(notice.received_at) + UNDO_DAYS * DAY_MS);
  const confirmUntil = refundAt.toISOString();
  await updateNotice(life.db, notice.uid, {
    subscription_uid: subscription.uid,
    stops_at: (await stopNow(life, notice, subscription)) ? notice.received_at : null,
    undo_hash: hashSecret(secret),
    undo_until: confirmUntil,
  });
  const payload = { noticeUid: notice.uid };
  const key = `${REFUNDING}:${notice.uid}`;
  await enqueue(life.db, { kind: REFUNDING, key, payload, runAt: refundAt });
  const compose = (site: Site, facts: Facts): Letter => ({
    kind: "withdrawal-to-confirm",
    site,
    notice: facts,
    confirmUntil,
    confirmUrl: links.confirmWithdrawal(trusted, secret),
  });
  const mailedAt = await nextMailAt(life, notice, subscription);
  await answer(life, notice, subscription, compose, mailedAt);
}

/** Whether undoing the notice lets the contract go on: not where its owner had stopped it before. */
async function stopNow(life: Life, { received_at }: Notice, subscription: Subscription) {
  if (subscription.ended_at) return false;
  if (!subscription.cancelled_at) {
    await stopRenewal(life, subscription, new Date(received_at));
    return true;
  }
  const open = await findOpen(life.db, subscription.uid, life.clock.now());
  return open.some(({ stops_at }) => stops_at === subscription.cancelled_at);
}

/** Of a contract that was withdrawn from before: what went back; of one too old for it: nothing. */
async function tellOutcome(life: Life, notice: Notice, subscription: Subscription) {
  const refunded = subscription.withdrawn_at ? await withdraw(life, subscription) : null;
  await answerWithoutEffect(life, notice, subscription, (site, facts) => ({
    kind: "withdrawal-without-effect",
    site,
    notice: facts,
    refunded,
  }));
}

const tellNothingFound = (life: Life, notice: Notice) =>
  answerWithoutEffect(life, notice, undefined, (site, facts) => ({
    kind: "withdrawal-without-effect",
    site,
    notice: facts,
    refunded: null,
  }));
