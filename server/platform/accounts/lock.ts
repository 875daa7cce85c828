import type { Database } from "../database/tables";

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
