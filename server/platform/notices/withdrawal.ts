import { DAY_MS } from "../ports/durations";
import { z } from "zod/v4";
import type { withdrawing } from "../../../app/contract/subscriptions";
import { enqueue } from "../jobs/queue";
import type { Letter, Notice as Facts, Site } from "../mail/letters";
import { links } from "../mail/links";
import { findTrustedSite } from "../mail/site";
import { hashSecret, newSecret } from "../ports/ids";
import { stopRenewal } from "../subscriptions/stop";
import { lockSubscription, type Subscription } from "../subscriptions/lookup";
import { withdrawFromContract } from "../subscriptions/withdrawal";
import { inTransaction } from "../database/transaction";
import { isWithdrawable, lockContract } from "./contract";
import { mailChange, mailWithoutEffect, reserveMailTime } from "./letters";
import {
  badLink,
  findBySecret,
  findNotice,
  findOpenNotices,
  updateNotice,
  type Notice,
} from "./store";
import type { SubscriptionContext } from "../subscriptions/context";

/** Kind of the job that refunds the contract, unless the withdrawal was undone. */
export const REFUND_UNLESS_UNDONE = "notice.refund";

const work = z.object({ noticeUid: z.string() });

/** Leaves another week of the fourteen days within which the money must be refunded (L221-24). */
const UNDO_DAYS = 7;

/**
 * Receives a withdrawal. Billing stops at once. The refund is immediate when the contract's owner
 * is signed in. Otherwise, because anybody may send a notice, it waits for the link mailed to the
 * contract's address, or a week, in which that link can undo the withdrawal.
 * @param readerUid uid of the signed-in account
 * @returns the notice that is in effect
 */
export async function receiveWithdrawal(
  context: SubscriptionContext,
  notice: Notice,
  readerUid: string | null,
): Promise<Notice> {
  const isRepeat = notice.repeats_uid !== null;
  const subscription = await lockContract(context, notice);
  if (!subscription) {
    if (!isRepeat) await mailNothingFound(context, notice);
    return notice;
  }
  if (subscription.withdrawn_at || !isWithdrawable(subscription, notice)) {
    if (!isRepeat) await mailEarlierOutcome(context, notice, subscription);
    return notice;
  }
  if (subscription.account_uid === readerUid) {
    await completeWithdrawal(context, notice, subscription);
    return notice;
  }
  const open = await findOpenNotices(context.db, subscription.uid, context.clock.now());
  const inEffect = open.find(({ kind }) => kind === "withdrawal");
  if (!inEffect) await askConfirmation(context, notice, subscription);
  return inEffect ?? notice;
}

/**
 * Refunds the contract now instead of at the end of the week.
 * @throws Refusal 400 for a link that is unknown, expired or undone
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
    await completeWithdrawal(context, notice, subscription);
    return { status: "confirmed" };
  });
}

/** Refunds the contract at the end of the week, unless the withdrawal was undone or confirmed. */
export async function refundUnlessUndone(context: SubscriptionContext, payload: unknown) {
  const { noticeUid } = work.parse(payload);
  await inTransaction(context, async (context) => {
    const held = await lockLinked(context, await findNotice(context.db, noticeUid));
    if (!held || held.notice.undone_at || held.notice.confirmed_at) return;
    await completeWithdrawal(context, held.notice, held.subscription);
  });
}

/** Locks the contract of a notice and reads both. */
async function lockLinked(context: SubscriptionContext, { uid, subscription_uid }: Notice) {
  const subscription = subscription_uid && (await lockSubscription(context.db, subscription_uid));
  return subscription ? { notice: await findNotice(context.db, uid), subscription } : undefined;
}

/** Completes the withdrawal, and with it all other open withdrawals of the contract. */
async function completeWithdrawal(
  context: SubscriptionContext,
  notice: Notice,
  subscription: Subscription,
) {
  const now = context.clock.now();
  const open = await findOpenNotices(context.db, subscription.uid, now);
  const refunded = await withdrawFromContract(context, subscription);
  const done = open.filter(({ kind }) => kind === "withdrawal").map(({ uid }) => uid);
  for (const uid of new Set([notice.uid, ...done])) {
    await updateNotice(context.db, uid, {
      subscription_uid: subscription.uid,
      confirmed_at: now.toISOString(),
    });
  }
  await mailChange(context, notice, subscription, (site, facts) => ({
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
  const trusted = await findTrustedSite(context, subscription.origin, notice.origin);
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
  const key = `${REFUND_UNLESS_UNDONE}:${notice.uid}`;
  await enqueue(context.db, { kind: REFUND_UNLESS_UNDONE, key, payload, runAt: refundAt });
  const compose = (site: Site, facts: Facts): Letter => ({
    kind: "withdrawal-to-confirm",
    site,
    notice: facts,
    confirmUntil,
    confirmUrl: links.confirmWithdrawal(trusted, secret),
  });
  const mailedAt = await reserveMailTime(context, notice, subscription);
  await mailChange(context, notice, subscription, compose, mailedAt);
}

/**
 * Stops the renewal; returns whether undoing resumes it, which is not so when the owner had stopped
 * it.
 */
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
  const open = await findOpenNotices(context.db, subscription.uid, context.clock.now());
  return open.some(({ stops_at }) => stops_at === subscription.cancelled_at);
}

/**
 * Mails that nothing changed: with the earlier refund after a withdrawal, without one when it is
 * too late.
 */
async function mailEarlierOutcome(
  context: SubscriptionContext,
  notice: Notice,
  subscription: Subscription,
) {
  const refunded = subscription.withdrawn_at
    ? await withdrawFromContract(context, subscription)
    : null;
  await mailWithoutEffect(context, notice, subscription, (site, facts) => ({
    kind: "withdrawal-without-effect",
    site,
    notice: facts,
    refunded,
  }));
}

const mailNothingFound = (context: SubscriptionContext, notice: Notice) =>
  mailWithoutEffect(context, notice, undefined, (site, facts) => ({
    kind: "withdrawal-without-effect",
    site,
    notice: facts,
    refunded: null,
  }));
