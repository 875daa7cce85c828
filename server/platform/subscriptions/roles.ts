import type { Roles } from "../../../app/contract/accounts";
import type { Database } from "../database/tables";

/** Reads the roles: `vip` follows from a subscription, `coach` is granted by `npm run coach`. */
export async function rolesOf(db: Database, accountUid: string, now: Date): Promise<Roles> {
  const [paid, given] = [await isVip(db, accountUid, now), await givenRoles(db, accountUid)];
  return { ...(paid && { vip: true }), ...given };
}

/**
 * True from activation until the end of the paid period, or of the grace while a renewal is unpaid
 * (R-4.5, R-10.9).
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
