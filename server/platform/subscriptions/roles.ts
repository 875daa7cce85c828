import type { Roles } from "../../../app/contract/accounts";
import type { Database } from "../database/tables";

/** `vip` is paid for, `coach` is given by hand (`npm run coach`). */
export async function rolesOf(db: Database, accountUid: string, now: Date): Promise<Roles> {
  const [paid, given] = [await isVip(db, accountUid, now), await givenRoles(db, accountUid)];
  return { ...(paid && { vip: true }), ...given };
}

/**
 * From activation until what is paid ends, or until grace does for what is still to be renewed
 * nothing else grants it.
 */
async function isVip(db: Database, accountUid: string, now: Date): Promise<boolean> {
  const moment = now.toISOString();
  const active = await db
    .selectFrom("subscription")
    .select("uid")
    .where("account_uid", "=", accountUid)
    .where("ended_at", "is", null)
    .where("activates_at", "<=", moment)
    .where((e) => e.fn.coalesce("grace_until", "expires_at"), ">", moment)
    .executeTakeFirst();
  return active !== undefined;
}

async function givenRoles(db: Database, accountUid: string): Promise<Roles> {
  const rows = await db
    .selectFrom("account_role")
    .select("role")
    .where("account_uid", "=", accountUid)
    .execute();
  return Object.fromEntries(rows.map(({ role }) => [role, true as const]));
}
