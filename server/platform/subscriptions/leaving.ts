import { DAY_MS, MINUTE_MS } from "../ports/durations";
import { z } from "zod/v4";
import { eraseAccount } from "../accounts/deletion";
import type { releasing } from "../../../app/contract/accounts";
import { lockAccount } from "../accounts/lock";
import { findAccountToRelease } from "../accounts/release-link";
import type { Database } from "../database/tables";
import { enqueue } from "../jobs/queue";
import type { Principal } from "../http/types";
import { inTransaction } from "../database/transaction";
import { isDisputed } from "./claims";
import { isLeaving } from "./due";
import { mailOwner } from "./letters";
import { closeOpenPage, scheduleClosing } from "./open-page";
import { DELETION } from "./schedule";
import { findRunning, type Subscription } from "./lookup";
import { refundComingPeriods } from "./paid-period";
import { updateSubscription } from "./store";
import type { PaymentContext, SubscriptionContext } from "./context";

const REFUND_DAYS = 14;

type Store = Pick<SubscriptionContext, "db" | "clock">;

const work = z.object({ accountUid: z.string() });

/** Deletes a leaving account a day after the end, or later when money or a notice is still open. */
export async function deleteLeavingAccount(context: SubscriptionContext, payload: unknown) {
  const { accountUid } = work.parse(payload);
  await inTransaction(context, async (context) => {
    await lockAccount(context.db, accountUid);
    if (!(await isLeaving(context.db, accountUid))) return;
    const waitUntil = await findWaitEnd(context, accountUid);
    if (!waitUntil) return eraseAccount(context, accountUid);
    const key = `${DELETION}:${accountUid}:${waitUntil.toISOString()}`;
    await enqueue(context.db, { kind: DELETION, key, payload: { accountUid }, runAt: waitUntil });
  });
}

/** Deletes the signed-in account at once and cancels all further charges. */
export async function deleteSignedInAccount(
  context: PaymentContext,
  { uid }: Principal,
  here: string,
) {
  await inTransaction(context, async (context) => {
    await lockAccount(context.db, uid);
    await deleteNow(context, uid, here);
  });
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

async function deleteNow(context: SubscriptionContext, uid: string, here: string) {
  const now = context.clock.now().toISOString();
  const running = await findRunning(context.db, uid);
  const refunded = running ? await endNow(context, running) : 0;
  await scheduleClosing(context, uid);
  const origin = running?.origin ?? here;
  await mailOwner(context, { account_uid: uid, origin }, `account-deleted:${uid}`, (site) => ({
    kind: "account-deleted",
    site,
    date: now,
    refunded,
  }));
  await eraseAccount(context, uid);
}

/** Ends the subscription now. The running period is not refunded; a period paid early is. */
async function endNow(context: SubscriptionContext, running: Subscription): Promise<number> {
  const now = context.clock.now().toISOString();
  const stopped = { ended_at: now, cancelled_at: running.cancelled_at ?? now };
  const change = { ...stopped, grace_until: null };
  const ended = await updateSubscription(context.db, running.uid, change);
  return refundComingPeriods(context, ended);
}

/**
 * The time until which an account is kept: while a refund or dispute is open, or a notice can be
 * undone. A refund (L221-24) or dispute that takes longer than usual continues without the account.
 */
async function findWaitEnd({ db, clock }: Store, accountUid: string): Promise<Date | null> {
  const now = clock.now();
  const isHeld =
    (await isRefunding(db, accountUid, now)) || (await isDisputed(db, accountUid, now));
  if (isHeld) return new Date(now.getTime() + DAY_MS);
  const notice = await selectOpenNotices({ db, clock }, accountUid)
    .orderBy("contract_notice.undo_until", "desc")
    .executeTakeFirst();
  if (!notice?.undo_until) return null;
  const soon = now.getTime() + MINUTE_MS;
  return new Date(Math.max(Date.parse(notice.undo_until), soon));
}

/** Tells whether a refund is pending, or will follow unless a withdrawal is undone. */
async function hasMoneyDue({ db, clock }: Store, accountUid: string): Promise<boolean> {
  if (await isRefunding(db, accountUid, clock.now())) return true;
  const withdrawal = await selectOpenNotices({ db, clock }, accountUid)
    .where("contract_notice.kind", "=", "withdrawal")
    .executeTakeFirst();
  return withdrawal !== undefined;
}

async function isRefunding(db: Database, accountUid: string, now: Date): Promise<boolean> {
  const refund = await db
    .selectFrom("refund")
    .innerJoin("payment", "payment.uid", "refund.payment_uid")
    .select("refund.uid")
    .where("payment.account_uid", "=", accountUid)
    .where("refund.status", "=", "pending")
    .where("refund.created_at", ">", new Date(now.getTime() - REFUND_DAYS * DAY_MS).toISOString())
    .executeTakeFirst();
  return refund !== undefined;
}

/**
 * Withdrawals until their money is given back, which is the work of a job and may be late; and the
 * cancellation that stopped the contract while it can be undone: one planned for later stops nothing.
 */
const selectOpenNotices = ({ db, clock }: Store, accountUid: string) =>
  db
    .selectFrom("contract_notice")
    .innerJoin("subscription", "subscription.uid", "contract_notice.subscription_uid")
    .select("contract_notice.undo_until")
    .where("subscription.account_uid", "=", accountUid)
    .where((e) =>
      e.or([
        e("contract_notice.kind", "=", "withdrawal"),
        e.and([
          e("contract_notice.stops_at", "=", e.ref("subscription.cancelled_at")),
          e("contract_notice.undo_until", ">", clock.now().toISOString()),
        ]),
      ]),
    )
    .where("contract_notice.undone_at", "is", null)
    .where("contract_notice.confirmed_at", "is", null)
    .where("contract_notice.undo_until", "is not", null);
