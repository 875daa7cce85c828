import { lockActiveAccount } from "../database/account-lock";
import type { Database } from "../database/tables";
import { unauthorized } from "../http/refusal";

/** @throws Refusal 401 when the account was deleted or blocked since the call began */
export async function requireActiveAccount(transaction: Database, uid: string) {
  if (!(await lockActiveAccount(transaction, uid))) throw unauthorized();
}
