import { sql } from "kysely";
import type { Database, Tables } from "./tables";
import { lockAccount } from "./account-lock";

export type SubscriptionRow = Tables["subscription"];

export async function findSubscription(db: Database, uid: string) {
  return db.selectFrom("subscription").selectAll().where("uid", "=", uid).executeTakeFirst();
}

/** Selects the contracts of an account, newest first. */
export const selectNewestFirst = (db: Database, accountUid: string) =>
  db
    .selectFrom("subscription")
    .where("account_uid", "=", accountUid)
    .orderBy("started_at", "desc")
    .orderBy("uid", "desc");

/** Locks the account of a subscription and reads the subscription; undefined when there is none. */
export async function lockSubscription(transaction: Database, uid: string) {
  const known = await findSubscription(transaction, uid);
  if (!known) return undefined;
  await lockAccount(transaction, known.account_uid);
  return findSubscription(transaction, uid);
}

/** Finds the contract that a payment opened or renewed, whatever became of its period. */
export const findContractOf = (db: Database, { uid, subscription_uid }: PaymentKey) =>
  db
    .selectFrom("subscription")
    .selectAll()
    .where((e) => e.or([e("payment_uid", "=", uid), e("uid", "=", subscription_uid ?? "")]))
    .executeTakeFirst();

/** Condition on payments: those that opened or renewed a contract. */
export const isPaymentOf = ({ uid, payment_uid }: Pick<SubscriptionRow, "uid" | "payment_uid">) =>
  sql<boolean>`(payment.uid = ${payment_uid} or payment.subscription_uid = ${uid})`;

type PaymentKey = Pick<Tables["payment"], "uid" | "subscription_uid">;
