import type { Credit } from "../../../app/contract/subscriptions";
import type { SubscriptionRow } from "../database/subscription-row";
import type { Database } from "../database/tables";
import type { StoppedCredit, WithdrawnCredit } from "../mail/letters";
import { findUndecidedDebit } from "../money/undecided-debit";
import type { SubscriptionContext } from "./context";
import { findObstacle } from "./credit-obstacle";
import {
  creditOf,
  findCredit,
  isOwed,
  isUnearned,
  isWholePeriodPaid,
  reasonUnearned,
  wasDisputedUnearned,
  type CreditRow,
} from "./credit-row";
import { isOnHold } from "./lookup";

type Store = Pick<SubscriptionContext, "db" | "clock">;

/** The credit of a contract as its person sees it; null without one. */
export async function readCredit(
  context: Store,
  subscription: SubscriptionRow,
): Promise<Credit | null> {
  const row = await findCredit(context.db, subscription.uid);
  if (!row) return null;
  if (wasDisputedUnearned(row)) return disputedCredit(context, subscription, row);
  const lapse = (await isLostOnDeletion(context, subscription, row))
    ? "if-deleted"
    : await findStopLapse(context, subscription, row);
  const isHeld = isOwed(row) && (await findObstacle(context.db, subscription)) === "undecided";
  return { ...creditOf(row), ...(lapse && { lapse }), ...(isHeld && { isHeld }) };
}

/**
 * What is told of a credit that a dispute took before it was earned. While the contract may go on, it waits for the
 * bank, unless a stop has lost it; nothing can earn it afterwards, whatever the bank decides.
 */
async function disputedCredit(
  context: Store,
  subscription: SubscriptionRow,
  row: CreditRow,
): Promise<Credit> {
  const { reason: _, ...credit } = creditOf(row);
  const lapse = await findStopLapse(context, subscription, row);
  if (!lapse) {
    const obstacle = await findObstacle(context.db, subscription);
    return { ...credit, reason: reasonUnearned(obstacle) };
  }
  const isHeld = lapse === "if-stopped";
  return { ...credit, status: "awaited", lapse, ...(isHeld && { isHeld }) };
}

/**
 * What a stop does to the credit of a contract that has not ended, or is on hold, for the letter about the stop. Null
 * without a credit, and where it depends on something else, such as a debit whose outcome is unknown.
 */
export async function readStoppedCredit(
  context: Store,
  subscription: SubscriptionRow,
): Promise<StoppedCredit | null> {
  const credit = await findCredit(context.db, subscription.uid);
  if (!credit) return null;
  const { amount } = credit;
  if ((await findStopLapse(context, subscription, credit)) !== null)
    return { amount, isLost: true };
  if (subscription.ended_at !== null || !isOwed(credit)) return null;
  const isKept = (await findObstacle(context.db, subscription)) === null;
  return isKept ? { amount, isLost: false } : null;
}

/**
 * The credit that a withdrawal loses, for its letters; null without one, and for one that was lost before. Read
 * before the withdrawal, which voids it.
 */
export async function readWithdrawnCredit(
  db: Database,
  { uid }: Pick<SubscriptionRow, "uid">,
): Promise<WithdrawnCredit | null> {
  const credit = await findCredit(db, uid);
  if (!credit || credit.status === "void") return null;
  return { amount: credit.amount, isPaid: credit.status === "paid" };
}

/** A stop loses a credit that no payment has earned yet, unless a debit whose outcome is unknown may still earn it. */
async function findStopLapse(
  context: Store,
  subscription: SubscriptionRow,
  credit: CreditRow,
): Promise<Credit["lapse"] | null> {
  const { ended_at, cancelled_at } = subscription;
  const mayBeEarned =
    ended_at === null
      ? isUnearned(credit) && !(await findUndecidedDebit(context.db, subscription))
      : await isSuspended(context, subscription, credit);
  if (!mayBeEarned) return null;
  return cancelled_at === null ? "if-stopped" : "stopped";
}

/** Whether a dispute took a credit before it was earned, and may bring it back: its contract is on hold for it. */
async function isSuspended(
  { db, clock }: Store,
  subscription: SubscriptionRow,
  credit: CreditRow,
): Promise<boolean> {
  if (!wasDisputedUnearned(credit) || !isOnHold(subscription, clock.now())) return false;
  return (await findObstacle(db, subscription)) === "undecided";
}

/** A deletion gives a period back that was paid early, and with it the only payment of a whole period. */
async function isLostOnDeletion(
  { db, clock }: Store,
  subscription: SubscriptionRow,
  credit: CreditRow,
): Promise<boolean> {
  if (subscription.ended_at !== null || credit.delay_after !== "full-payment") return false;
  return isOwed(credit) && !(await isWholePeriodPaid(db, subscription, clock.now()));
}
