import type { Updateable } from "kysely";
import { lockAccount } from "../accounts/lock";
import type { Database, Tables } from "../database/tables";

export type Subscription = Tables["subscription"];
type Kind = Tables["payment"]["kind"];

export async function findSubscription(db: Database, uid: string) {
  return db.selectFrom("subscription").selectAll().where("uid", "=", uid).executeTakeFirst();
}

/** Read once nobody else can change it; undefined when there is none. */
export async function lockSubscription(transaction: Database, uid: string) {
  const known = await findSubscription(transaction, uid);
  if (!known) return undefined;
  await lockAccount(transaction, known.account_uid);
  return findSubscription(transaction, uid);
}

/** The subscription of an account that has not ended. */
export async function findRunning(db: Database, accountUid: string) {
  return db
    .selectFrom("subscription")
    .selectAll()
    .where("account_uid", "=", accountUid)
    .where("ended_at", "is", null)
    .executeTakeFirst();
}

/** The subscription of an account that can be stopped: the running one, else one on hold. */
export async function findStoppable(db: Database, accountUid: string, now: Date) {
  const running = await findRunning(db, accountUid);
  if (running) return running;
  const ended = await db
    .selectFrom("subscription")
    .selectAll()
    .where("account_uid", "=", accountUid)
    .where("ended_by_payment", "is not", null)
    .orderBy("started_at", "desc")
    .orderBy("uid", "desc")
    .execute();
  return ended.find((subscription) => isOnHold(subscription, now));
}

/** It ended because its payment went back, and goes on should the money return in time. */
export const isOnHold = (
  { ended_by_payment, withdrawn_at, expires_at }: Subscription,
  now: Date,
): boolean => ended_by_payment !== null && withdrawn_at === null && expires_at > now.toISOString();

export const isStoppable = (subscription: Subscription, now: Date): boolean =>
  subscription.ended_at === null || isOnHold(subscription, now);

export async function updateSubscription(
  db: Database,
  uid: string,
  change: Updateable<Subscription>,
): Promise<Subscription> {
  return db
    .updateTable("subscription")
    .set(change)
    .where("uid", "=", uid)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** The payment for the period that is due which the payer or the bank has not decided yet. */
export async function findUndecided(db: Database, { uid, expires_at }: Subscription) {
  return db
    .selectFrom("payment")
    .selectAll()
    .where("subscription_uid", "=", uid)
    .where("period_start", "=", expires_at)
    .where("status", "in", ["open", "pending"])
    .executeTakeFirst();
}

export async function hasUndecided(db: Database, subscription: Subscription, kinds: Kind[]) {
  const undecided = await findUndecided(db, subscription);
  return undecided !== undefined && kinds.includes(undecided.kind);
}

/** Whether the profile of an account is gone. */
export async function isDeleted(db: Database, accountUid: string): Promise<boolean> {
  const account = await db
    .selectFrom("account")
    .select("status")
    .where("uid", "=", accountUid)
    .executeTakeFirst();
  return account?.status === "deleted";
}
