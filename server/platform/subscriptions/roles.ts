import type { Roles } from "../../../app/contract/accounts";
import type { Database } from "../database/tables";
import type { SubscriptionRow } from "../database/subscription-row";
import { findDueStop } from "./planned-stop";
import { isUntried } from "./schedule";

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
  const active = await db
    .selectFrom("subscription")
    .selectAll()
    .where("account_uid", "=", accountUid)
    .where("ended_at", "is", null)
    .where("activates_at", "<=", now.toISOString())
    .executeTakeFirst();
  return active !== undefined && givesAccess(db, active, now);
}

/**
 * Whether a contract that has not ended still gives access. After downtime its jobs may be late: a planned
 * stop that was due before the debit leaves no grace, and the grace of a debit that was not attempted yet
 * has not begun.
 */
export async function givesAccess(
  db: Database,
  subscription: SubscriptionRow,
  now: Date,
): Promise<boolean> {
  const { expires_at, grace_until } = subscription;
  const moment = now.toISOString();
  if (expires_at > moment) return true;
  if (!(await isUntried(db, subscription))) return (grace_until ?? "") > moment;
  const stop = await findDueStop(db, subscription, now);
  return !stop || stop.stopsAt >= expires_at;
}

async function givenRoles(db: Database, accountUid: string): Promise<Roles> {
  const rows = await db
    .selectFrom("account_role")
    .select("role")
    .where("account_uid", "=", accountUid)
    .execute();
  return Object.fromEntries(rows.map(({ role }) => [role, true as const]));
}
