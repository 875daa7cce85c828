import type { Database } from "../database/tables";
import type { SubscriptionRow } from "../database/subscription-row";
import { isUnsettled, UNSETTLED, type Payment } from "./payments";

type Asked = Pick<Payment, "kind" | "status" | "asked_at">;

/** A renewal for which the provider could not be asked yet: no money has moved, and a stop calls it off. */
export const isDelayedDebit = (payment: Asked): boolean =>
  isUnsettled(payment) && payment.kind === "renewal" && payment.asked_at === null;

/**
 * A payment that the bank was asked for and has not decided on: it may still succeed, whatever is stopped
 * meanwhile. An open page on which nobody has paid is none, nor is a delayed renewal.
 */
const isUndecidedDebit = (payment: Asked): boolean =>
  payment.kind === "renewal"
    ? isUnsettled(payment) && !isDelayedDebit(payment)
    : payment.status === "pending";

/** Days for which a profile is kept for an undecided debit: a bank may never decide. */
export const UNDECIDED_DAYS = 14;

/** Selects the payments for the due period. */
const selectDuePayments = (db: Database, { uid, expires_at }: SubscriptionRow) =>
  db
    .selectFrom("payment")
    .selectAll()
    .where("subscription_uid", "=", uid)
    .where("period_start", "=", expires_at);

/**
 * Finds the payment for the due period that is not settled, also one that the bank was not asked for yet: no
 * other one may begin. Undecided is only one that the bank was asked for and that may still debit
 * (`findUndecidedDebit`).
 */
export async function findUnsettledOfPeriod(db: Database, subscription: SubscriptionRow) {
  return selectDuePayments(db, subscription).where("status", "in", UNSETTLED).executeTakeFirst();
}

/** Whether a charge of the renewal has begun and is not settled. */
export async function hasBegunRenewal(db: Database, subscription: SubscriptionRow) {
  return (await findUnsettledOfPeriod(db, subscription))?.kind === "renewal";
}

/** Finds the undecided debit of the due period, whoever asked for it. */
export async function findUndecidedDebit(db: Database, subscription: SubscriptionRow) {
  const begun = await findUnsettledOfPeriod(db, subscription);
  return begun && isUndecidedDebit(begun) ? begun : undefined;
}

/** Whether the bank was asked for a payment of the account since then, and decides on it. */
export async function hasUndecidedDebitSince(
  db: Database,
  accountUid: string,
  since: Date,
): Promise<boolean> {
  const unsettled = await selectUnsettled(db, accountUid)
    .where("created_at", ">", since.toISOString())
    .execute();
  return unsettled.some(isUndecidedDebit);
}

/**
 * Whether a payment of the account may still succeed though nobody asks the bank again: one that it decides on, or
 * one on an open page, which the provider may not have reported yet.
 */
export async function mayStillBePaid(db: Database, accountUid: string): Promise<boolean> {
  const unsettled = await selectUnsettled(db, accountUid).execute();
  return unsettled.some((payment) => !isDelayedDebit(payment));
}

const selectUnsettled = (db: Database, accountUid: string) =>
  db
    .selectFrom("payment")
    .select(["kind", "status", "asked_at"])
    .where("account_uid", "=", accountUid)
    .where("status", "in", UNSETTLED);

/** Cents of the undecided debit of the due period, as words name it; null without one. */
export async function readUndecidedAmount(
  db: Database,
  subscription: SubscriptionRow,
): Promise<number | null> {
  return (await findUndecidedDebit(db, subscription))?.amount ?? null;
}
