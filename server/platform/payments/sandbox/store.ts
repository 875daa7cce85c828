import type { Updateable } from "kysely";
import type { Database, Tables } from "../../database/tables";
import type { PaymentName } from "../../ports/payment-gateway";

export type Page = Tables["bank_page"];
export type PageStatus = Page["status"];

export async function findPage(db: Database, uid: string): Promise<Page> {
  return db.selectFrom("bank_page").selectAll().where("uid", "=", uid).executeTakeFirstOrThrow();
}

export async function findPageByHash(db: Database, hash: string): Promise<Page | undefined> {
  return db.selectFrom("bank_page").selectAll().where("secret_hash", "=", hash).executeTakeFirst();
}

export async function findPageOfPayment(db: Database, paymentUid: string) {
  return db
    .selectFrom("bank_page")
    .selectAll()
    .where("payment_uid", "=", paymentUid)
    .executeTakeFirst();
}

/** By the bank's own name where the merchant knows it, otherwise by the merchant's. */
export async function findPayment(db: Database, { paymentUid, reference }: PaymentName) {
  if (reference === null) return findPageOfPayment(db, paymentUid);
  return db.selectFrom("bank_page").selectAll().where("uid", "=", reference).executeTakeFirst();
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
