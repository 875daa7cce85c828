import type { Database } from "../database/tables";

/** Grants the role; `name` is shown with the coach's answers. */
export async function grantRole(db: Database, accountUid: string, name: string, now: Date) {
  await db
    .insertInto("account_role")
    .values({ account_uid: accountUid, role: "coach", name, granted_at: now.toISOString() })
    .onConflict((conflict) => conflict.columns(["account_uid", "role"]).doUpdateSet({ name }))
    .execute();
}

/** Revokes the role from the next call on, and unassigns the coach's tickets. */
export async function revokeRole(db: Database, accountUid: string): Promise<boolean> {
  const taken = await db
    .deleteFrom("account_role")
    .where("account_uid", "=", accountUid)
    .where("role", "=", "coach")
    .returning("account_uid")
    .executeTakeFirst();
  if (!taken) return false;
  await db
    .updateTable("ticket")
    .set((e) => ({ assignee_uid: null, version: e("version", "+", 1) }))
    .where("assignee_uid", "=", accountUid)
    .execute();
  return true;
}
