import { lockAccount } from "../database/account-lock";
import type { Database, Tables } from "../database/tables";

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

type PaymentKey = Pick<Tables["payment"], "uid" | "subscription_uid">;

/** Finds the subscription of an account that has not ended. */
export async function findRunning(db: Database, accountUid: string) {
  return db
    .selectFrom("subscription")
    .selectAll()
    .where("account_uid", "=", accountUid)
    .where("ended_at", "is", null)
    .executeTakeFirst();
}

/** Counts the running contracts of a formula. */
export async function countRunning(db: Database, formula: string): Promise<number> {
  const { running } = await db
    .selectFrom("subscription")
    .select((e) => e.fn.countAll().as("running"))
    .where("formula_uid", "=", formula)
    .where("ended_at", "is", null)
    .executeTakeFirstOrThrow();
  return Number(running);
}

/** Finds the subscription that can be stopped: the running one, otherwise one on hold. */
export async function findStoppable(db: Database, accountUid: string, now: Date) {
  const running = await findRunning(db, accountUid);
  if (running) return running;
  const ended = await selectNewestFirst(db, accountUid)
    .selectAll()
    .where("ended_by_payment", "is not", null)
    .execute();
  return ended.find((subscription) => isOnHold(subscription, now));
}

/** True when it ended because its payment was reversed: it resumes if the money returns in time. */
export const isOnHold = (
  { ended_by_payment, withdrawn_at, expires_at }: SubscriptionRow,
  now: Date,
): boolean => ended_by_payment !== null && withdrawn_at === null && expires_at > now.toISOString();

/** The end of access of a stopped subscription; an unpaid period keeps the rest of its grace. */
export const endOfStopped = ({
  ended_at,
  grace_until,
  expires_at,
}: Pick<SubscriptionRow, "ended_at" | "grace_until" | "expires_at">): string =>
  ended_at ?? grace_until ?? expires_at;

export const isStoppable = (subscription: SubscriptionRow, now: Date): boolean =>
  subscription.ended_at === null || isOnHold(subscription, now);
