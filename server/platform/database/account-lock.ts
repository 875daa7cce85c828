import type { Database } from "./tables";

/**
 * Locks the account's row until the transaction ends, so that its changes happen one after the
 * other. The update changes nothing, but takes the row lock on PostgreSQL. SQLite runs writes one
 * at a time anyway.
 */
export async function lockAccount(transaction: Database, uid: string) {
  await transaction
    .updateTable("account")
    .set((e) => ({ status: e.ref("status") }))
    .where("uid", "=", uid)
    .execute();
}

/**
 * Locks an account and checks that it is still active: it may have been deleted since the call began.
 * @returns whether data may still be written for the account
 */
export async function lockActiveAccount(transaction: Database, uid: string): Promise<boolean> {
  await lockAccount(transaction, uid);
  const account = await transaction
    .selectFrom("account")
    .select("status")
    .where("uid", "=", uid)
    .executeTakeFirst();
  return account?.status === "active";
}
