import { z } from "zod/v4";
import type { ConfirmedWithdrawal, withdrawing } from "../../../app/contract/notices";
import { findCredit } from "../subscriptions/credit-row";
import { lockSubscription, type SubscriptionRow } from "../database/subscription-row";
import { inTransaction } from "../database/transaction";
import { isWithdrawable, lockContract, lockEntered, type FoundContract } from "./contract";
import { coverNotice, findCover } from "./cover";
import { refundTimeOf } from "./mail-time";
import { findCovering } from "./receive";
import { badLink, findBySecret, findNotice, findOpenNotices, type Notice } from "./store";
import { mailNothingFound } from "./undecided-order";
import type { SubscriptionContext } from "../subscriptions/context";
import { completeWithdrawal } from "./complete-withdrawal";
import { askConfirmation } from "./withdrawal-link";
import { mailEarlierOutcome } from "./late-withdrawal";

const work = z.object({ noticeUid: z.string() });

/**
 * Receives a withdrawal. Billing stops at once. The refund is immediate when the contract's owner
 * is signed in. Otherwise, because anybody may send a notice, it waits for the link mailed to the
 * contract's address, or a week, in which that link can undo the withdrawal. Each notice has
 * its own mail and link. One that is applied when its fourteen days are over is refunded at once (L221-24).
 * @param principalUid uid of the signed-in account
 * @returns the notice that is in effect
 */
export async function receiveWithdrawal(
  context: SubscriptionContext,
  notice: Notice,
  principalUid: string | null,
): Promise<Notice> {
  const covering = await findCovering(context, notice, principalUid);
  if (covering) return covering;
  const found = await lockContract(context, notice, principalUid);
  if (!found) {
    await mailNothingFound(context, notice);
    return notice;
  }
  const { subscription } = found;
  const isOwner = subscription.account_uid === principalUid;
  const isInTime = isWithdrawable(subscription, notice);
  const isConfirmed = isOwner && (await hasOpenWithdrawal(context, subscription));
  if (subscription.withdrawn_at || !(isInTime || isConfirmed)) {
    await mailEarlierOutcome(context, notice, found);
  } else if (isOwner) {
    await completeWithdrawal(context, notice, found, { isConfirmed: true });
  } else if (refundTimeOf(notice) <= context.clock.now()) {
    await completeWithdrawal(context, notice, found, { isConfirmed: false });
  } else {
    const cover = await findCover(context, notice, subscription, null);
    await (cover
      ? coverNotice(context, notice, found, cover)
      : askConfirmation(context, notice, found));
  }
  return notice;
}

/**
 * Carries out a withdrawal that came by post or e-mail. It counts as confirmed: whoever entered it has read
 * who declared it, and its day was checked then.
 */
export async function receivePostedWithdrawal(context: SubscriptionContext, notice: Notice) {
  const found = await lockEntered(context, notice);
  if (!found) return;
  if (found.subscription.withdrawn_at) return mailEarlierOutcome(context, notice, found);
  await completeWithdrawal(context, notice, found, { isConfirmed: true });
  const { uid, subscription_uid: contract, wished_date: declared } = notice;
  context.log.info(
    { notice: uid, contract, declared },
    "withdrawal by post or e-mail was carried out",
  );
}

/** Whether somebody declared one in time without signing in: its owner confirms it, also when it is later. */
async function hasOpenWithdrawal({ db, clock }: SubscriptionContext, { uid }: SubscriptionRow) {
  const open = await findOpenNotices(db, uid, clock.now());
  return open.some(({ kind }) => kind === "withdrawal");
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
    const { notice, found } = held;
    const receipt = await readDeclared(context, held);
    const confirmed = { status: "confirmed", receipt } as const;
    if (notice.settled_at) return confirmed;
    if ((notice.undo_until ?? "") <= context.clock.now().toISOString()) throw badLink();
    await completeWithdrawal(context, notice, found, { isConfirmed: true });
    return confirmed;
  });
}

/** What the mail with the link quotes, for the page that confirms it. */
async function readDeclared(
  { db, site }: SubscriptionContext,
  { notice, found }: { notice: Notice; found: FoundContract },
): Promise<ConfirmedWithdrawal> {
  const { name, email, reference, received_at } = notice;
  const credit = await findCredit(db, found.subscription.uid);
  // A second press finds the credit lost by the first.
  const isLost =
    credit?.void_reason === "withdrawn" || credit?.status === "awaited" || credit?.status === "due";
  return {
    receivedAt: received_at,
    contract: found.subscription.uid,
    seller: site.imprint,
    ...(name && { name }),
    ...(email && { email }),
    ...(reference && { reference }),
    ...(credit && isLost && { lostCredit: credit.amount }),
  };
}

/**
 * Refunds the contract when the time to undo is over, unless the withdrawal was undone or confirmed. A
 * mail that is late, or never arrives, holds up no refund.
 */
export async function refundUnlessUndone(context: SubscriptionContext, payload: unknown) {
  const { noticeUid } = work.parse(payload);
  await inTransaction(context, async (context) => {
    const held = await lockLinked(context, await findNotice(context.db, noticeUid));
    if (!held || held.notice.undone_at || held.notice.settled_at) return;
    const { notice, found } = held;
    // The limit has moved since, and has a job of its own.
    if ((notice.undo_until ?? "") > context.clock.now().toISOString()) return;
    if (notice.mailed_at === null) {
      const words = "withdrawal carried out though its mail could not be delivered in time";
      context.log.error({ notice: noticeUid }, words);
    }
    await completeWithdrawal(context, notice, found, { isConfirmed: false });
  });
}

/** Locks the contract of a notice and reads both. */
async function lockLinked(context: SubscriptionContext, { uid, subscription_uid }: Notice) {
  const subscription = subscription_uid && (await lockSubscription(context.db, subscription_uid));
  if (!subscription) return undefined;
  const found: FoundContract = { subscription, hasOthers: false };
  return { notice: await findNotice(context.db, uid), found };
}
