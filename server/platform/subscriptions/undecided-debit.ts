import type { ExpressionBuilder } from "kysely";
import type { Database, Tables } from "../database/tables";
import type { Subscription } from "./lookup";
import { UNSETTLED } from "./payments";
import { selectDuePayments } from "./store";

/**
 * A payment that the bank was asked for and has not decided on: it may still succeed, whatever is stopped
 * meanwhile. An open page on which nobody has paid is none, nor is a renewal for which the provider could not be
 * asked yet.
 */
const isUndecidedDebit = (e: ExpressionBuilder<Tables, "payment">) =>
  e.or([
    e.and([e("kind", "!=", "renewal"), e("status", "=", "pending")]),
    e.and([e("kind", "=", "renewal"), e("status", "in", UNSETTLED), e("asked_at", "is not", null)]),
  ]);

/** So long a profile waits for a debit; a bank may leave one undecided for ever. */
export const UNDECIDED_DAYS = 14;

/** Finds the undecided debit of the due period, whoever asked for it. */
export async function findUndecidedDebit(db: Database, subscription: Subscription) {
  return selectDuePayments(db, subscription).where(isUndecidedDebit).executeTakeFirst();
}

/** Whether the bank was asked for a payment of the account since then, and decides on it. */
export async function hasUndecidedDebitSince(
  db: Database,
  accountUid: string,
  since: Date,
): Promise<boolean> {
  const undecided = await db
    .selectFrom("payment")
    .select("uid")
    .where("account_uid", "=", accountUid)
    .where("created_at", ">", since.toISOString())
    .where(isUndecidedDebit)
    .executeTakeFirst();
  return undecided !== undefined;
}

/** Cents of the undecided debit of the due period, as words name it; null without one. */
export async function readUndecidedAmount(
  db: Database,
  subscription: Subscription,
): Promise<number | null> {
  return (await findUndecidedDebit(db, subscription))?.amount ?? null;
}
