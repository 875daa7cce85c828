import { z } from "zod/v4";
import { eraseAccount, findWithdrawalRights } from "../accounts/deletion";
import type { releasing } from "../../../app/contract/accounts";
import type { ReleasePreview } from "../../../app/contract/subscriptions";
import { lockAccount } from "../database/account-lock";
import { findAccountToRelease } from "../accounts/release-link";
import type { Database } from "../database/tables";
import { enqueue } from "../jobs/queue";
import { isMailPending } from "../mail/outbox";
import type { Principal } from "../http/types";
import { inTransaction } from "../database/transaction";
import { isWithdrawalOpen } from "./open-withdrawal";
import { voidUnearnedCredit } from "./credits";
import { readCredit } from "./credit-prospects";
import { isLeaving } from "./due";
import { mailOwner } from "../mail/contract-mail";
import { closeOpenPage, scheduleClosing } from "./open-page";
import {
  findPendingNotices,
  hasPendingNotice,
  LAST_LOOK_MS,
  linkMailKey,
  waitForNotices,
} from "./pending-notices";
import { DELETION } from "./schedule";
import { findReasonToKeep, isRefunding, selectOpenNotices } from "./kept-profile";
import { findRunning } from "./lookup";
import type { SubscriptionRow } from "../database/subscription-row";
import { refundComingPeriods } from "./paid-period";
import { updateSubscription } from "./store";
import { findNewestSubscription } from "./subscription";
import { readRefundsOnDeletion, refundRest } from "./unannounced";
import { continuesIfUndone, mayUndoStop } from "./unsigned-stop";
import { mayStillBePaid } from "../money/undecided-debit";
import type { PaymentContext, SubscriptionContext } from "./context";

const work = z.object({ accountUid: z.string(), isLast: z.boolean().optional() });

/** Deletes a leaving account a day after the end, or later when money or a notice is still open. */
export async function deleteLeavingAccount(context: SubscriptionContext, payload: unknown) {
  const { accountUid, isLast = false } = work.parse(payload);
  await inTransaction(context, async (context) => {
    await lockAccount(context.db, accountUid);
    if (!(await isLeaving(context.db, accountUid))) return;
    await waitForNotices(context, accountUid, DELETION);
    const kept = await findReasonToKeep(context, accountUid);
    if (kept) return lookAgain(context, { accountUid }, kept.until);
    const unmailed = await findUnmailedStop(context.db, accountUid);
    if (unmailed && !isLast && (await isMailPending(context.db, linkMailKey(unmailed)))) {
      const later = new Date(context.clock.now().getTime() + LAST_LOOK_MS);
      return lookAgain(context, { accountUid, isLast: true }, later);
    }
    if (unmailed) {
      const words = "profile deleted though the mail of its cancellation could not be delivered";
      context.log.error({ notice: unmailed.uid }, words);
    }
    await eraseAccount(context, accountUid);
  });
}

async function lookAgain(
  { db }: Pick<SubscriptionContext, "db">,
  payload: z.infer<typeof work>,
  runAt: Date,
) {
  const key = `${DELETION}:${payload.accountUid}:${runAt.toISOString()}`;
  await enqueue(db, { kind: DELETION, key, payload, runAt });
}

/** Finds the notice that stopped a contract of the account and whose mail has not gone out. */
async function findUnmailedStop(db: Database, accountUid: string) {
  return db
    .selectFrom("contract_notice")
    .innerJoin("subscription", "subscription.uid", "contract_notice.subscription_uid")
    .select(["contract_notice.uid", "contract_notice.kind"])
    .where("subscription.account_uid", "=", accountUid)
    .whereRef("contract_notice.stops_at", "=", "subscription.cancelled_at")
    .where("contract_notice.kind", "=", "cancellation")
    .where("contract_notice.undone_at", "is", null)
    .where("contract_notice.mailed_at", "is", null)
    .where("contract_notice.undo_hash", "is not", null)
    .executeTakeFirst();
}

/** Notices that a deletion applies at most: strangers may send any number of them. */
const MAX_APPLIED = 100;

/**
 * Deletes the signed-in account at once and cancels all further charges. Notices that were
 * received before are applied first, so that a withdrawal gets its receipt and its refund. One that
 * cannot be applied is left to its job, and holds up no deletion.
 * @param applyNotice applies a pending notice in a transaction of its own
 */
export async function deleteSignedInAccount(
  context: PaymentContext,
  { uid }: Principal,
  here: string,
  applyNotice: (noticeUid: string) => Promise<void>,
) {
  const tried = new Set<string>();
  for (;;) {
    const notice = await inTransaction(context, async (context) => {
      await lockAccount(context.db, uid);
      const pending = await findPendingNotices(context, uid);
      const first = pending.find((received) => !tried.has(received));
      if (first && tried.size < MAX_APPLIED) return first;
      await deleteNow(context, uid, here);
      return null;
    });
    if (notice === null) break;
    tried.add(notice);
    await applyNotice(notice).catch((error: unknown) => {
      const words = "a notice cannot be applied before the deletion and is left to its job";
      context.log.error({ err: error, account: uid, notice }, words);
    });
  }
  await closeOpenPage(context, uid);
}

/**
 * Releases the e-mail of a leaving account by deleting the account now. While a refund is pending
 * it waits, and the link stays valid.
 * @throws Refusal 400 for a link that is unknown, expired or used
 */
export async function releaseAddress(
  context: PaymentContext,
  secret: string,
  here: string,
): Promise<z.infer<typeof releasing>> {
  const uid = await findAccountToRelease(context, secret);
  const released = await inTransaction(context, async (context) => {
    await lockAccount(context.db, uid);
    await findAccountToRelease(context, secret);
    if (await hasMoneyDue(context, uid)) return { status: "waiting" } as const;
    await deleteNow(context, uid, here);
    return { status: "released" } as const;
  });
  if (released.status === "released") await closeOpenPage(context, uid);
  return released;
}

/**
 * What the release would give back and lose now; it changes nothing.
 * @throws Refusal 400 for a link that is unknown, expired or used
 */
export async function readRelease(
  context: PaymentContext,
  secret: string,
): Promise<ReleasePreview> {
  const uid = await findAccountToRelease(context, secret);
  const newest = await findNewestSubscription(context.db, uid, context.clock.now());
  if (!newest) return {};
  const credit = await readCredit(context, newest);
  return {
    ...(await readRefundsOnDeletion(context, newest)),
    ...(credit && { credit }),
    ...((await mayUndoStop(context, newest)) && { hasUnsignedNotice: true }),
    ...((await continuesIfUndone(context, newest)) && { continuesIfUndone: true }),
    ...((await isWithdrawalOpen(context.db, newest.uid)) && { isWithdrawing: true }),
  };
}

async function deleteNow(context: SubscriptionContext, uid: string, here: string) {
  const now = context.clock.now().toISOString();
  const running = await findRunning(context.db, uid);
  const { refunded, rest, lostCredit } = running ? await endNow(context, running) : NOTHING_ENDED;
  await scheduleClosing(context, uid);
  const origin = running?.origin ?? here;
  const pending = await findPendingWithdrawal(context.db, uid);
  const rights = await findWithdrawalRights(context, uid);
  const isPaying = await mayStillBePaid(context.db, uid);
  const [right] = rights.filter(({ subscriptionUid }) => subscriptionUid !== pending?.contract);
  await mailOwner(context, { account_uid: uid, origin }, `account-deleted:${uid}`, (site) => ({
    kind: "account-deleted",
    site,
    date: now,
    refunded,
    rest,
    lostCredit,
    withdrawableUntil: right ? right.until.toISOString() : null,
    pendingWithdrawal: pending ?? null,
    isPaying,
  }));
  await eraseAccount(context, uid);
}

/** Finds the withdrawal without sign-in that is refunded first, unless it is undone. */
async function findPendingWithdrawal(db: Database, accountUid: string) {
  const notice = await db
    .selectFrom("contract_notice")
    .innerJoin("subscription", "subscription.uid", "contract_notice.subscription_uid")
    .select(["contract_notice.received_at", "contract_notice.undo_until", "subscription.uid"])
    .where("subscription.account_uid", "=", accountUid)
    .where("contract_notice.kind", "=", "withdrawal")
    .where("contract_notice.undone_at", "is", null)
    .where("contract_notice.settled_at", "is", null)
    .where("contract_notice.undo_until", "is not", null)
    .orderBy("contract_notice.undo_until")
    .executeTakeFirst();
  if (!notice?.undo_until) return undefined;
  const { uid: contract, received_at: receivedAt, undo_until: refundAt } = notice;
  return { contract, receivedAt, refundAt };
}

/**
 * Ends the subscription now. The running period is not refunded, unless it was renewed without its notice: then
 * the rest of it is (L215-1). A period paid early is refunded as a whole.
 */
async function endNow(context: SubscriptionContext, running: SubscriptionRow) {
  const rest = await refundRest(context, running);
  const now = context.clock.now().toISOString();
  const stopped = { ended_at: now, cancelled_at: running.cancelled_at ?? now };
  const change = { ...stopped, grace_until: null };
  const ended = await updateSubscription(context.db, running.uid, change);
  // A period that is given back may be the one from which the delay of the credit counts.
  const refunded = await refundComingPeriods(context, ended);
  return { refunded, rest, lostCredit: await voidUnearnedCredit(context, ended) };
}

const NOTHING_ENDED = { refunded: 0, rest: 0, lostCredit: null };

/** Tells whether a refund is pending, or may follow from a withdrawal. */
async function hasMoneyDue(context: SubscriptionContext, accountUid: string): Promise<boolean> {
  const { db, clock } = context;
  if (await isRefunding(db, accountUid, clock.now())) return true;
  if (await hasPendingNotice(context, accountUid)) return true;
  const withdrawal = await selectOpenNotices({ db, clock }, accountUid)
    .where("contract_notice.kind", "=", "withdrawal")
    .executeTakeFirst();
  return withdrawal !== undefined;
}
