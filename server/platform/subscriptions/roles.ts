import type { Roles } from "../../../app/contract/accounts";
import type { Database } from "../database/tables";

/**
 * `vip` from activation until what is paid ends, or until grace does for what is still to be renewed
 * nothing else grants it.
 */
export async function rolesOf(db: Database, accountUid: string, now: Date): Promise<Roles> {
  const moment = now.toISOString();
  const active = await db
    .selectFrom("subscription")
    .select("uid")
    .where("account_uid", "=", accountUid)
    .where("ended_at", "is", null)
    .where("activates_at", "<=", moment)
    .where((e) => e.fn.coalesce("grace_until", "expires_at"), ">", moment)
    .executeTakeFirst();
  return active ? { vip: true } : {};
}
