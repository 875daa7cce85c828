import type { Updateable } from "kysely";
import type { Database } from "../database/tables";
import type { SubscriptionRow } from "../database/subscription-row";

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

/** Tells whether an account is erased. */
export async function isDeleted(db: Database, accountUid: string): Promise<boolean> {
  const account = await db
    .selectFrom("account")
    .select("status")
    .where("uid", "=", accountUid)
    .executeTakeFirst();
  return account?.status === "deleted";
}
