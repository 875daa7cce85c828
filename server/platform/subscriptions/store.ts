import type { Updateable } from "kysely";
import type { Database } from "../database/tables";
import type { SubscriptionRow } from "../database/subscription-row";
import { UNSETTLED } from "./payments";

export async function updateSubscription(
  db: Database,
  uid: string,
  change: Updateable<SubscriptionRow>,
): Promise<SubscriptionRow> {
  return db
    .updateTable("subscription")
    .set(change)
    .where("uid", "=", uid)
    .returningAll()
    .executeTakeFirstOrThrow();
}

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

/** Tells whether an account is erased. */
export async function isDeleted(db: Database, accountUid: string): Promise<boolean> {
  const account = await db
    .selectFrom("account")
    .select("status")
    .where("uid", "=", accountUid)
    .executeTakeFirst();
  return account?.status === "deleted";
}
