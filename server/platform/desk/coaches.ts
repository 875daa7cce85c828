import type { Database } from "../database/tables";

export type Coach = { uid: string; name: string };

export async function listCoaches(db: Database): Promise<Coach[]> {
  return selectCoaches(db).orderBy("account_role.name").orderBy("account.uid").execute();
}

export async function findCoach(db: Database, uid: string): Promise<Coach | undefined> {
  return selectCoaches(db).where("account.uid", "=", uid).executeTakeFirst();
}

const selectCoaches = (db: Database) =>
  db
    .selectFrom("account_role")
    .innerJoin("account", "account.uid", "account_role.account_uid")
    .select(["account.uid", "account_role.name"])
    .where("account_role.role", "=", "coach")
    .where("account.status", "=", "active");
