import type { Updateable } from "kysely";
import type { Database, Tables } from "../database/tables";
import type { Subscription } from "./lookup";

type Kind = Tables["payment"]["kind"];

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

/** Finds the undecided payment for the due period. */
export async function findUndecidedPayment(db: Database, { uid, expires_at }: Subscription) {
  return db
    .selectFrom("payment")
    .selectAll()
    .where("subscription_uid", "=", uid)
    .where("period_start", "=", expires_at)
    .where("status", "in", ["open", "pending"])
    .executeTakeFirst();
}

export async function hasUndecidedPayment(db: Database, subscription: Subscription, kinds: Kind[]) {
  const undecided = await findUndecidedPayment(db, subscription);
  return undecided !== undefined && kinds.includes(undecided.kind);
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
