import { z } from "zod/v4";
import type { Offer } from "../../../app/contract/subscriptions";
import { lockSubscription, type SubscriptionRow } from "../database/subscription-row";
import type { Database } from "../database/tables";
import { inTransaction } from "../database/transaction";
import { enqueue } from "../jobs/queue";
import { mailCreditor } from "../mail/contract-mail";
import type { LetterOf } from "../mail/letters";
import { links } from "../mail/links";
import type { SubscriptionContext } from "./context";
import { findObstacle, type Obstacle, type VoidReason } from "./credit-obstacle";
import {
  findCredit,
  isOwed,
  isUnearned,
  isWholePeriodPaid,
  reasonUnearned,
  wasDisputedUnearned,
  withdrawalEnd,
  type CreditRow,
} from "./credit-row";

/** Kind of the job that makes a credit due when its delay ends, or voids it. */
export const CREDIT_DUE = "credit.due";

const work = z.object({ subscriptionUid: z.string() });

/**
 * Stores the credit of a new contract with the conditions of its order, so that a later change of the
 * formula does not affect it. The first payment of a contract without a trial already pays a whole
 * period.
 */
export async function recordCredit(
  context: SubscriptionContext,
  subscription: SubscriptionRow,
  { creditAmount: amount, creditTerms: terms, trial }: Offer,
) {
  if (amount === undefined || !terms) return;
  await context.db
    .insertInto("credit")
    .values({
      subscription_uid: subscription.uid,
      amount,
      debtor: terms.debtor,
      way: terms.way,
      delay_days: terms.delayDays,
      delay_after: terms.delayAfter,
      conditions: terms.conditions,
      status: "awaited",
      created_at: context.clock.now().toISOString(),
    })
    .execute();
  if (terms.delayAfter === "order" || trial === null) await startCreditDelay(context, subscription);
}

/**
 * The first payment of a whole period begins the delay, unless the order did. A credit is not due while
 * the right of withdrawal lasts: it would be paid for a contract that is then given back whole.
 * @param paidAt when that payment was made
 */
export async function startCreditDelay(
  context: SubscriptionContext,
  subscription: Pick<SubscriptionRow, "uid" | "started_at">,
  paidAt = context.clock.now(),
) {
  const { db, calendar } = context;
  const { uid } = subscription;
  await awaitCreditAgain({ db }, { uid });
  const credit = await findCredit(db, uid);
  if (!credit || !isUnearned(credit)) return;
  const agreed = calendar(paidAt, credit.delay_days, "day");
  const withdrawable = withdrawalEnd(context, subscription);
  await scheduleDue(context, uid, agreed > withdrawable ? agreed : withdrawable);
}

/**
 * Awaits the first payment of a whole period again, after the one that began the delay went back before its
 * period: the contract may end without another. A credit that was paid stays paid; who was told that it is due is
 * told that it is not.
 */
export async function resetCreditDelay(
  context: SubscriptionContext,
  subscription: SubscriptionRow,
) {
  const { db } = context;
  const { uid } = subscription;
  const credit = await findCredit(db, uid);
  if (!credit || credit.status === "paid" || credit.delay_after !== "full-payment") return;
  if (await isWholePeriodPaid(db, subscription)) return;
  const status = credit.status === "due" ? "awaited" : credit.status;
  await db
    .updateTable("credit")
    .set({ status, due_at: null })
    .where("subscription_uid", "=", uid)
    .execute();
  // The mail about the end of a contract names the loss.
  if (credit.status !== "due" || subscription.ended_at !== null) return;
  const isStopped = subscription.cancelled_at !== null;
  await mailNotDue(context, subscription, credit, isStopped ? "returned after a stop" : "returned");
}

/**
 * Restores the credit of a resumed contract that had ended before the delay began. A contract that was
 * withdrawn from is never resumed.
 */
export async function awaitCreditAgain(
  { db }: Pick<SubscriptionContext, "db">,
  { uid }: Pick<SubscriptionRow, "uid">,
) {
  await db
    .updateTable("credit")
    .set({ status: "awaited", void_reason: null, settled_at: null })
    .where("subscription_uid", "=", uid)
    .where("status", "=", "void")
    .where("due_at", "is", null)
    .execute();
}

/**
 * Restores a credit that was voided at the end of its delay or later, after the money of the contract came back: a
 * refund that was given up or bounced, a dispute won at last. The job decides about it again.
 */
export async function reviewVoidCredit(
  { db, clock }: Pick<SubscriptionContext, "db" | "clock">,
  subscription: SubscriptionRow,
) {
  const { uid } = subscription;
  const credit = await findCredit(db, uid);
  if (credit?.status !== "void") return;
  const obstacle = await findObstacle(db, subscription);
  if (credit.due_at === null) return correctReason({ db }, credit, obstacle);
  if (obstacle !== null && obstacle !== "undecided") return;
  await db
    .updateTable("credit")
    .set({ status: "awaited", void_reason: null, settled_at: null })
    .where("subscription_uid", "=", uid)
    .execute();
  await scheduleCheck({ db }, uid, clock.now());
}

/** What a dispute took before it was earned, and its end does not bring back, has another reason by then. */
async function correctReason(
  { db }: { db: Database },
  credit: CreditRow,
  obstacle: Obstacle | null,
) {
  if (!wasDisputedUnearned(credit) || obstacle === "undecided") return;
  await db
    .updateTable("credit")
    .set({ void_reason: reasonUnearned(obstacle) })
    .where("subscription_uid", "=", credit.subscription_uid)
    .execute();
}

/**
 * Voids a credit that is due, or will be on a day, after the money of the contract went back for good. While that is
 * undecided the credit stays as it is, and is not paid.
 */
export async function reviewOwedCredit(
  context: SubscriptionContext,
  subscription: SubscriptionRow,
) {
  const credit = await findCredit(context.db, subscription.uid);
  if (!credit || !isOwed(credit)) return;
  const obstacle = await findObstacle(context.db, subscription);
  if (obstacle === null || obstacle === "undecided") return;
  await voidCredit(context, subscription, obstacle);
}

/**
 * Makes the credit due at the end of the delay, or voids it. While a dispute or a withdrawal is open, it
 * is not known whether the payment is refunded, so the job runs again a day later.
 */
export async function settleCredit(context: SubscriptionContext, payload: unknown) {
  const { subscriptionUid } = work.parse(payload);
  await inTransaction(context, async (context) => {
    const { db, clock, calendar } = context;
    const subscription = await lockSubscription(db, subscriptionUid);
    const credit = await findCredit(db, subscriptionUid);
    if (!subscription || credit?.status !== "awaited") return;
    const { due_at: dueAt, amount, debtor, way } = credit;
    if (dueAt === null || dueAt > clock.now().toISOString()) return;
    const withdrawable = withdrawalEnd(context, subscription);
    if (withdrawable > clock.now()) return scheduleDue(context, subscriptionUid, withdrawable);
    const obstacle = await findObstacle(db, subscription);
    if (obstacle === "undecided") {
      return scheduleCheck({ db }, subscriptionUid, calendar(clock.now(), 1, "day"));
    }
    if (obstacle !== null) return voidCredit(context, subscription, obstacle);
    await db
      .updateTable("credit")
      .set({ status: "due" })
      .where("subscription_uid", "=", subscriptionUid)
      .execute();
    await mailCreditor(
      context,
      subscription,
      // It may be due again, after it was void.
      `credit-due:${subscriptionUid}:${clock.now().toISOString()}`,
      (site, isFormer) => ({
        kind: "credit-due",
        site,
        amount,
        debtor,
        way,
        dueAt,
        reference: subscriptionUid,
        isFormer,
        url: isFormer ? links.contact(site) : links.contract(site, subscriptionUid),
      }),
    );
  });
}

/** Voids the credit of a contract, unless it has been paid; who was told that it is due is told. */
export async function voidCredit(
  context: SubscriptionContext,
  subscription: SubscriptionRow,
  reason: VoidReason,
) {
  const { db, clock } = context;
  const { uid } = subscription;
  const credit = await findCredit(db, uid);
  const now = clock.now().toISOString();
  await db
    .updateTable("credit")
    .set({ status: "void", void_reason: reason, settled_at: now })
    .where("subscription_uid", "=", uid)
    .where("status", "in", ["awaited", "due"])
    .execute();
  if (credit?.status === "due" && reason !== "ended")
    await mailNotDue(context, subscription, credit, reason);
}

/** Mails it that a credit which was told as due is not owed, or not any more. */
export async function mailNotDue(
  context: SubscriptionContext,
  subscription: SubscriptionRow,
  { amount, debtor, way }: CreditRow,
  reason: LetterOf<"credit-void">["reason"],
) {
  const { uid } = subscription;
  const key = `credit-void:${uid}:${context.clock.now().toISOString()}`;
  await mailCreditor(context, subscription, key, (site, isFormer) => ({
    kind: "credit-void",
    site,
    amount,
    debtor,
    way,
    reason,
    reference: uid,
    isFormer,
    url: isFormer ? links.contact(site) : links.contract(site, uid),
  }));
}

/**
 * Voids the credit of a contract that ended before the delay began.
 * @returns the amount that is not owed any more; null when nothing changed
 */
export async function voidUnearnedCredit(
  context: SubscriptionContext,
  subscription: SubscriptionRow,
  reason: VoidReason = "ended",
): Promise<number | null> {
  const credit = await findCredit(context.db, subscription.uid);
  if (!credit || !isUnearned(credit)) return null;
  await voidCredit(context, subscription, reason);
  return credit.amount;
}

/** Writes when the credit falls due, and schedules the job for then; at once for a day that is over. */
async function scheduleDue(
  { db, clock }: Pick<SubscriptionContext, "db" | "clock">,
  subscriptionUid: string,
  due: Date,
) {
  await db
    .updateTable("credit")
    .set({ due_at: due.toISOString() })
    .where("subscription_uid", "=", subscriptionUid)
    .execute();
  const now = clock.now();
  await scheduleCheck({ db }, subscriptionUid, due > now ? due : now);
}

async function scheduleCheck({ db }: { db: Database }, subscriptionUid: string, runAt: Date) {
  const key = `${CREDIT_DUE}:${subscriptionUid}:${runAt.toISOString()}`;
  await enqueue(db, { kind: CREDIT_DUE, key, payload: { subscriptionUid }, runAt });
}
