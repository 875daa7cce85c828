import type { Database } from "../database/tables";

/** What a coach is called by those who read the answers. */
export async function giveRole(db: Database, accountUid: string, name: string, now: Date) {
  await db
    .insertInto("account_role")
    .values({ account_uid: accountUid, role: "coach", name, granted_at: now.toISOString() })
    .onConflict((conflict) => conflict.columns(["account_uid", "role"]).doUpdateSet({ name }))
    .execute();
}

/** From the next call on nothing is open to them, and what was theirs to answer is nobody's. */
export async function takeRole(db: Database, accountUid: string): Promise<boolean> {
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
