import { enqueue } from "../jobs/queue";
import type { Letter, Notice as Facts, Site } from "../mail/letters";
import { links } from "../mail/links";
import { findTrustedSite } from "../mail/site";
import { DAY_MS } from "../ports/durations";
import { hashSecret, newSecret } from "../ports/ids";
import { readWithdrawnCredit } from "../subscriptions/credit-prospects";
import { stopRenewal } from "../subscriptions/stop";
import type { SubscriptionRow } from "../database/subscription-row";
import { readUndecidedAmount } from "../money/undecided-debit";
import { countsFrom, type FoundContract } from "./contract";
import { mailChange, mailOutcome, reserveSlotOf } from "./letters";
import { UNDO_DAYS, undoLimitUnsent } from "./mail-time";
import { findOpenNotices, updateNotice, type Notice } from "./store";
import type { SubscriptionContext } from "../subscriptions/context";

/** Kind of the job that refunds the contract, unless the withdrawal was undone. */
export const REFUND_UNLESS_UNDONE = "notice.refund";

/** Stops the billing, and mails the receipt with the link that confirms the withdrawal or undoes it. */
export async function askConfirmation(
  context: SubscriptionContext,
  notice: Notice,
  found: FoundContract,
  { isStopped = found.subscription.cancelled_at !== null }: { isStopped?: boolean } = {},
) {
  const { subscription } = found;
  await updateNotice(context.db, notice.uid, {
    subscription_uid: subscription.uid,
    repeats_uid: null,
    stops_at: (await stopNow(context, notice, subscription))
      ? countsFrom(notice, subscription)
      : null,
  });
  await mailLink(context, notice, found, { isStopped, mail: mailChange });
}

/** Mails the receipt again, with another link, of a withdrawal that is open. */
export async function mailWithdrawalAgain(
  context: SubscriptionContext,
  notice: Notice,
  found: FoundContract,
) {
  await mailLink(context, notice, found, {
    isStopped: notice.stops_at === null,
    mail: mailOutcome,
  });
}

type Linking = { isStopped: boolean; mail: typeof mailChange };

/** Gives the withdrawal a link, and mails it. */
async function mailLink(
  context: SubscriptionContext,
  notice: Notice,
  found: FoundContract,
  { isStopped, mail }: Linking,
) {
  const { subscription } = found;
  const trusted = await findTrustedSite(context, subscription.origin, notice.origin);
  const secret = newSecret();
  const { slot, sendAt } = await reserveSlotOf(context, notice, subscription, null);
  const limit = undoLimitUnsent(notice, sendAt);
  // The way back is mailed in time, however many mails wait for a place in the mailbox.
  const latest = Math.max(limit.getTime() - UNDO_DAYS * DAY_MS, context.clock.now().getTime());
  const mailAt = new Date(Math.min(sendAt.getTime(), latest));
  await updateNotice(context.db, notice.uid, {
    undo_hash: hashSecret(secret),
    undo_until: limit.toISOString(),
    mail_slot: slot,
  });
  await scheduleRefund(context, notice, limit);
  const undecidedDebit = await readUndecidedAmount(context.db, subscription);
  const credit = await readWithdrawnCredit(context.db, subscription);
  const compose = (site: Site, facts: Facts): Letter => ({
    kind: "withdrawal-to-confirm",
    site,
    notice: facts,
    confirmUntil: null,
    isStopped,
    isOver: subscription.ended_at !== null,
    undecidedDebit,
    credit,
    confirmUrl: links.confirmWithdrawal(trusted, secret),
  });
  await mail(context, notice, found, compose, mailAt);
}

/** Enqueues the refund at the end of the time to undo, once it is known. */
export async function scheduleRefund(
  { db }: Pick<SubscriptionContext, "db">,
  { uid: noticeUid }: Notice,
  runAt: Date,
) {
  const key = `${REFUND_UNLESS_UNDONE}:${noticeUid}:${runAt.toISOString()}`;
  await enqueue(db, { kind: REFUND_UNLESS_UNDONE, key, payload: { noticeUid }, runAt });
}

/**
 * Stops the renewal; returns whether undoing resumes it, which is not so when the owner had stopped
 * it.
 */
async function stopNow(
  context: SubscriptionContext,
  notice: Notice,
  subscription: SubscriptionRow,
) {
  if (subscription.ended_at) return false;
  if (!subscription.cancelled_at) {
    await stopRenewal(context, subscription, new Date(countsFrom(notice, subscription)));
    return true;
  }
  const open = await findOpenNotices(context.db, subscription.uid, context.clock.now());
  return open.some(({ stops_at }) => stops_at === subscription.cancelled_at);
}
