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

/** Finds a page by the bank's reference when the merchant knows it, otherwise by the merchant's uid. */
export async function findPayment(db: Database, { paymentUid, reference }: PaymentName) {
  if (reference === null) return findPageOfPayment(db, paymentUid);
  return db.selectFrom("bank_page").selectAll().where("uid", "=", reference).executeTakeFirst();
}

/** Changes a page only if it still has one of the given statuses: of concurrent calls one succeeds. */
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

/** Lists all movements, declined ones included, newest last. */
export async function listMovements(db: Database) {
  return db
    .selectFrom("bank_movement")
    .select(["at", "email", "kind", "amount", "currency", "status"])
    .orderBy("at")
    .orderBy("uid")
    .execute();
}
