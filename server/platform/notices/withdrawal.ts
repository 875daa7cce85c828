import { z } from "zod/v4";
import type { ConfirmedWithdrawal, withdrawing } from "../../../app/contract/notices";
import type { Database } from "../database/tables";
import { enqueue } from "../jobs/queue";
import type {
  LateWithdrawal,
  Letter,
  NamedNotices,
  Notice as Facts,
  OpenWithdrawal,
  Site,
} from "../mail/letters";
import { links } from "../mail/links";
import { deleteUnsentMails } from "../mail/outbox";
import { findTrustedSite } from "../mail/site";
import { DAY_MS } from "../ports/durations";
import { hashSecret, newSecret } from "../ports/ids";
import { findCredit, readWithdrawnCredit } from "../subscriptions/credits";
import { stopRenewal } from "../subscriptions/stop";
import { endOfStopped, isOnHold } from "../subscriptions/lookup";
import { lockSubscription, type SubscriptionRow } from "../database/subscription-row";
import { debitOf, nextDebitOf } from "../subscriptions/next-debit";
import { endsWithPaidPeriod } from "../subscriptions/planned-stop";
import { linkMailKey } from "../subscriptions/pending-notices";
import { readUndecidedAmount } from "../money/undecided-debit";
import { withdrawalDeadline } from "../subscriptions/withdrawal-deadline";
import { withdrawFromContract } from "../subscriptions/withdrawal";
import { inTransaction } from "../database/transaction";
import {
  countsFrom,
  isWithdrawable,
  lockContract,
  lockEntered,
  type FoundContract,
} from "./contract";
import { coverNotice, findCover } from "./cover";
import {
  mailChange,
  mailOutcome,
  mailWithoutEffect,
  replaceUnsentLinks,
  reserveSlotOf,
} from "./letters";
import { refundTimeOf, UNDO_DAYS, undoLimitUnsent } from "./mail-time";
import { findCovering } from "./receive";
import {
  badLink,
  findBySecret,
  findNotice,
  findOpenNotices,
  readNamed,
  updateNotice,
  type Notice,
} from "./store";
import { mailNothingFound } from "./undecided-order";
import type { SubscriptionContext } from "../subscriptions/context";

/** Kind of the job that refunds the contract, unless the withdrawal was undone. */
export const REFUND_UNLESS_UNDONE = "notice.refund";

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

/** Enqueues the refund at the end of the time to undo, once it is known. */
export async function scheduleRefund(
  { db }: Pick<SubscriptionContext, "db">,
  { uid: noticeUid }: Notice,
  runAt: Date,
) {
  const key = `${REFUND_UNLESS_UNDONE}:${noticeUid}:${runAt.toISOString()}`;
  await enqueue(db, { kind: REFUND_UNLESS_UNDONE, key, payload: { noticeUid }, runAt });
}

/** Locks the contract of a notice and reads both. */
async function lockLinked(context: SubscriptionContext, { uid, subscription_uid }: Notice) {
  const subscription = subscription_uid && (await lockSubscription(context.db, subscription_uid));
  if (!subscription) return undefined;
  const found: FoundContract = { subscription, hasOthers: false };
  return { notice: await findNotice(context.db, uid), found };
}

/**
 * Completes the withdrawal, and with it all other open withdrawals of the contract. The mail about it
 * names them; those whose own mail has not gone out still get their receipt.
 */
async function completeWithdrawal(
  context: SubscriptionContext,
  notice: Notice,
  found: FoundContract,
  { isConfirmed }: { isConfirmed: boolean },
) {
  const { subscription } = found;
  const now = context.clock.now();
  // Those too whose limit is over: after a standstill none of their mails may have gone out.
  const others = await selectUnsettled(context.db, subscription.uid)
    .selectAll()
    .where("uid", "!=", notice.uid)
    .where("undo_hash", "is not", null)
    .orderBy("received_at")
    .orderBy("uid")
    .execute();
  const credit = await readWithdrawnCredit(context.db, subscription);
  const refunded = await withdrawFromContract(context, subscription);
  const settled = await findSettledWith(context, notice, subscription);
  await settleWithdrawals(context, notice, subscription, now);
  await deleteUnsentMails(context.db, [linkMailKey(notice)]);
  await replaceUnsentLinks(context, others, found, (site, facts) => ({
    kind: "withdrawal-without-effect",
    site,
    notice: facts,
    refunded,
    late: null,
  }));
  const compose = (site: Site, facts: Facts): Letter => ({
    kind: "withdrawal-receipt",
    site,
    notice: facts,
    settled,
    refunded,
    credit,
  });
  const mail = notice.undo_hash === null ? mailChange : mailOutcome;
  await updateNotice(context.db, notice.uid, {
    repeats_uid: null,
    ...(isConfirmed && { confirmed_at: now.toISOString() }),
  });
  await mail(context, notice, found, compose);
}

/**
 * Finds the other withdrawals that are settled with one: open ones, and those that they cover. The first
 * are named.
 */
async function findSettledWith(
  { db }: SubscriptionContext,
  { uid }: Notice,
  subscription: SubscriptionRow,
): Promise<NamedNotices> {
  return readNamed(selectUnsettled(db, subscription.uid).where("uid", "!=", uid));
}

async function settleWithdrawals(
  { db }: SubscriptionContext,
  { uid }: Notice,
  subscription: SubscriptionRow,
  now: Date,
) {
  const change = { settled_at: now.toISOString() };
  await updateNotice(db, uid, { subscription_uid: subscription.uid, ...change });
  const others = selectUnsettled(db, subscription.uid).select("uid");
  await db.updateTable("contract_notice").set(change).where("uid", "in", others).execute();
}

const selectUnsettled = (db: Database, subscriptionUid: string) =>
  db
    .selectFrom("contract_notice")
    .where("subscription_uid", "=", subscriptionUid)
    .where("kind", "=", "withdrawal")
    .where("undone_at", "is", null)
    .where("settled_at", "is", null);

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

/**
 * Mails that nothing changed: with the earlier refund after a withdrawal, with the day of the refund while
 * another one is open, otherwise that it came too late, with what becomes of the contract.
 */
async function mailEarlierOutcome(
  context: SubscriptionContext,
  notice: Notice,
  found: FoundContract,
) {
  const { subscription } = found;
  const refunded = subscription.withdrawn_at
    ? await withdrawFromContract(context, subscription)
    : null;
  const open = refunded ? null : await findOpenWithdrawal(context, subscription);
  const late = refunded || open ? null : await describeLate(context, subscription);
  await mailWithoutEffect(context, notice, found, (site, facts) => ({
    kind: "withdrawal-without-effect",
    site,
    notice: facts,
    refunded,
    late,
    ...(open && { open }),
  }));
}

/** The open withdrawal that is refunded first, unless it is undone: a further one that is late changes nothing. */
async function findOpenWithdrawal(
  context: SubscriptionContext,
  subscription: SubscriptionRow,
): Promise<OpenWithdrawal | null> {
  const first = await selectUnsettled(context.db, subscription.uid)
    .select(["received_at", "undo_until"])
    .where("undo_until", "is not", null)
    .orderBy("undo_until")
    .executeTakeFirst();
  if (!first?.undo_until) return null;
  return {
    receivedAt: first.received_at,
    refundAt: first.undo_until,
    undecidedDebit: await readUndecidedAmount(context.db, subscription),
  };
}

async function describeLate(
  context: SubscriptionContext,
  subscription: SubscriptionRow,
): Promise<LateWithdrawal> {
  const { started_at, cancelled_at, ended_at, expires_at } = subscription;
  const isOver = ended_at !== null;
  const next = await nextDebitOf(context, subscription);
  const isStopping = await endsWithPaidPeriod(context.db, subscription, context.clock.now());
  const stoppedUntil = cancelled_at === null ? null : endOfStopped(subscription);
  const mayContinue = cancelled_at === null && isOnHold(subscription, context.clock.now());
  return {
    deadline: withdrawalDeadline(new Date(started_at)).toISOString(),
    debit: debitOf(subscription, next),
    undecidedDebit: next.undecidedAmount ?? null,
    endsAt: isOver ? endOfStopped(subscription) : isStopping ? expires_at : stoppedUntil,
    isOver,
    holdUntil: mayContinue ? expires_at : null,
  };
}
