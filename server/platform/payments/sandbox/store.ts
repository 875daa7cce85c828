import type { Updateable } from "kysely";
import type { Database, Tables } from "../../database/tables";

export type Page = Tables["bank_page"];
export type PageStatus = Page["status"];

export async function findPage(db: Database, uid: string): Promise<Page> {
  return db.selectFrom("bank_page").selectAll().where("uid", "=", uid).executeTakeFirstOrThrow();
}

export async function findPageByHash(db: Database, hash: string): Promise<Page | undefined> {
  return db.selectFrom("bank_page").selectAll().where("secret_hash", "=", hash).executeTakeFirst();
}

/** Moves a page on, if it still stands where the caller saw it: of many at once, one succeeds. */
export async function movePage(
  db: Database,
  uid: string,
  from: readonly PageStatus[],
  change: Updateable<Page>,
): Promise<Page | undefined> {
  return db
    .updateTable("bank_page")
    .set(change)
    .where("uid", "=", uid)
    .where("status", "in", from)
    .returningAll()
    .executeTakeFirst();
}

/** Every attempt to move money, newest last. */
export async function listMovements(db: Database) {
  return db
    .selectFrom("bank_movement")
    .select(["at", "email", "kind", "amount", "currency", "status"])
    .orderBy("at")
    .orderBy("uid")
    .execute();
}
