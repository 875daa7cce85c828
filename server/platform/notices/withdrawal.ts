import { DAY_MS } from "../ports/durations";
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
import { inTransaction } from "../database/transaction";
import { isWithdrawable, lockContract } from "./contract";
import { answer, answerWithoutEffect, nextMailAt } from "./letters";
import { badLink, findBySecret, findNotice, findOpen, updateNotice, type Notice } from "./store";
import type { SubscriptionContext } from "../subscriptions/context";

/** Kind of the job that gives the money back where nobody undid the notice. */
export const REFUNDING = "notice.refund";

const work = z.object({ noticeUid: z.string() });

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
  context: SubscriptionContext,
  notice: Notice,
  readerUid: string | null,
): Promise<Notice> {
  const isRepeat = notice.repeats_uid !== null;
  const subscription = await lockContract(context, notice);
  if (!subscription) {
    if (!isRepeat) await tellNothingFound(context, notice);
    return notice;
  }
  if (subscription.withdrawn_at || !isWithdrawable(subscription, notice)) {
    if (!isRepeat) await tellOutcome(context, notice, subscription);
    return notice;
  }
  if (subscription.account_uid === readerUid) {
    await takeEffect(context, notice, subscription);
    return notice;
  }
  const open = await findOpen(context.db, subscription.uid, context.clock.now());
  const holding = open.find(({ kind }) => kind === "withdrawal");
  if (!holding) await askConfirmation(context, notice, subscription);
  return holding ?? notice;
}

/**
 * The money goes back now instead of at the end of the week.
 * @throws Refusal 400 for a link that is unknown, too old or undone
 */
export async function confirmWithdrawal(
  context: SubscriptionContext,
  secret: string,
): Promise<z.infer<typeof withdrawing>> {
  return inTransaction(context, async (context) => {
    const linked = await findBySecret(context.db, "withdrawal", secret);
    const held = linked && (await lockLinked(context, linked));
    if (!held || held.notice.undone_at) throw badLink();
    const { notice, subscription } = held;
    if (notice.confirmed_at) return { status: "confirmed" };
    if ((notice.undo_until ?? "") <= context.clock.now().toISOString()) throw badLink();
    await takeEffect(context, notice, subscription);
    return { status: "confirmed" };
  });
}

/** Work of the job at the end of the week. */
export async function refundUnlessUndone(context: SubscriptionContext, payload: unknown) {
  const { noticeUid } = work.parse(payload);
  await inTransaction(context, async (context) => {
    const held = await lockLinked(context, await findNotice(context.db, noticeUid));
    if (!held || held.notice.undone_at || held.notice.confirmed_at) return;
    await takeEffect(context, held.notice, held.subscription);
  });
}

/** A notice and its contract, read once nobody else can change them. */
async function lockLinked(context: SubscriptionContext, { uid, subscription_uid }: Notice) {
  const subscription = subscription_uid && (await lockSubscription(context.db, subscription_uid));
  return subscription ? { notice: await findNotice(context.db, uid), subscription } : undefined;
}

/** Whatever other withdrawals of the contract wait for is done with it. */
async function takeEffect(
  context: SubscriptionContext,
  notice: Notice,
  subscription: Subscription,
) {
  const now = context.clock.now();
  const open = await findOpen(context.db, subscription.uid, now);
  const refunded = await withdraw(context, subscription);
  const done = open.filter(({ kind }) => kind === "withdrawal").map(({ uid }) => uid);
  for (const uid of new Set([notice.uid, ...done])) {
    await updateNotice(context.db, uid, {
      subscription_uid: subscription.uid,
      confirmed_at: now.toISOString(),
    });
  }
  await answer(context, notice, subscription, (site, facts) => ({
    kind: "withdrawal-receipt",
    site,
    notice: facts,
    refunded,
  }));
}

async function askConfirmation(
  context: SubscriptionContext,
  notice: Notice,
  subscription: Subscription,
) {
  const trusted = await trustedSiteOf(context, subscription.origin, notice.origin);
  const secret = newSecret();
  const refundAt = new Date(Date.parse(notice.received_at) + UNDO_DAYS * DAY_MS);
  const confirmUntil = refundAt.toISOString();
  await updateNotice(context.db, notice.uid, {
    subscription_uid: subscription.uid,
    stops_at: (await stopNow(context, notice, subscription)) ? notice.received_at : null,
    undo_hash: hashSecret(secret),
    undo_until: confirmUntil,
  });
  const payload = { noticeUid: notice.uid };
  const key = `${REFUNDING}:${notice.uid}`;
  await enqueue(context.db, { kind: REFUNDING, key, payload, runAt: refundAt });
  const compose = (site: Site, facts: Facts): Letter => ({
    kind: "withdrawal-to-confirm",
    site,
    notice: facts,
    confirmUntil,
    confirmUrl: links.confirmWithdrawal(trusted, secret),
  });
  const mailedAt = await nextMailAt(context, notice, subscription);
  await answer(context, notice, subscription, compose, mailedAt);
}

/** Whether undoing the notice lets the contract go on: not where its owner had stopped it before. */
async function stopNow(
  context: SubscriptionContext,
  { received_at }: Notice,
  subscription: Subscription,
) {
  if (subscription.ended_at) return false;
  if (!subscription.cancelled_at) {
    await stopRenewal(context, subscription, new Date(received_at));
    return true;
  }
  const open = await findOpen(context.db, subscription.uid, context.clock.now());
  return open.some(({ stops_at }) => stops_at === subscription.cancelled_at);
}

/** Of a contract that was withdrawn from before: what went back; of one too old for it: nothing. */
async function tellOutcome(
  context: SubscriptionContext,
  notice: Notice,
  subscription: Subscription,
) {
  const refunded = subscription.withdrawn_at ? await withdraw(context, subscription) : null;
  await answerWithoutEffect(context, notice, subscription, (site, facts) => ({
    kind: "withdrawal-without-effect",
    site,
    notice: facts,
    refunded,
  }));
}

const tellNothingFound = (context: SubscriptionContext, notice: Notice) =>
  answerWithoutEffect(context, notice, undefined, (site, facts) => ({
    kind: "withdrawal-without-effect",
    site,
    notice: facts,
    refunded: null,
  }));
