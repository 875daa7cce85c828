import type { Database } from "../database/tables";
import { unauthorized } from "../http/refusal";

/**
 * Holds the account until the transaction ends, so that its changes come one after the other. An
 * update that changes nothing takes the row's lock on PostgreSQL; on SQLite writes are serial anyway.
 */
export async function lockAccount(transaction: Database, uid: string) {
  await transaction
    .updateTable("account")
    .set((e) => ({ status: e.ref("status") }))
    .where("uid", "=", uid)
    .execute();
}

/**
 * Locks the account of who was signed in when the call began: a deletion at the same moment comes
 * wholly before or wholly after.
 * @returns whether it may still be written for
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

/** @throws Refusal 401 where the account was deleted or blocked meanwhile: nothing is written for it */
export async function holdAccount(transaction: Database, uid: string) {
  if (!(await lockActiveAccount(transaction, uid))) throw unauthorized();
}
