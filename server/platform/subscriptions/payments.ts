import type { Updateable } from "kysely";
import type { Database, Tables } from "../database/tables";
import type { PaymentPage } from "../ports/payment-gateway";
import { firstAmount } from "./formulas";
import type { Intent } from "./intent";

const UNSETTLED = ["open", "pending"] as const;

/** The one payment of a person that is not decided yet, if any. */
export async function findUnsettledPayment(db: Database, accountUid: string) {
  return db
    .selectFrom("payment")
    .selectAll()
    .where("account_uid", "=", accountUid)
    .where("status", "in", UNSETTLED)
    .executeTakeFirst();
}

export async function findPayment(db: Database, uid: string) {
  return db.selectFrom("payment").selectAll().where("uid", "=", uid).executeTakeFirst();
}

export async function findNewestPayment(db: Database, accountUid: string) {
  return db
    .selectFrom("payment")
    .selectAll()
    .where("account_uid", "=", accountUid)
    .orderBy("created_at", "desc")
    .orderBy("uid", "desc")
    .executeTakeFirst();
}

type NewPayment = {
  uid: string;
  accountUid: string;
  intent: Intent;
  page: PaymentPage;
  now: Date;
};

/** False when the person has another unsettled payment: the database keeps one at a time. */
export async function insertOpenPayment(db: Database, payment: NewPayment): Promise<boolean> {
  const { uid, accountUid, intent, page, now } = payment;
  const inserted = await db
    .insertInto("payment")
    .values({
      uid,
      account_uid: accountUid,
      formula_uid: intent.formula.uid,
      traffic_token: intent.trafficToken,
      kind: "first",
      amount: firstAmount(intent.formula),
      cashback: intent.cashback ? 1 : 0,
      affiliation_token: intent.affiliation?.token ?? null,
      affiliation_platform: intent.affiliation?.platform ?? null,
      idempotency_key: null,
      intent_digest: intent.digest,
      status: "open",
      error_code: null,
      error_message: null,
      gateway_reference: page.reference,
      card_reference: null,
      card_hint: null,
      created_at: now.toISOString(),
      settled_at: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning("uid")
    .executeTakeFirst();
  return inserted !== undefined;
}

/** False when the payment is decided already: the first decision stands. */
export async function updateUnsettledPayment(
  db: Database,
  uid: string,
  change: Updateable<Tables["payment"]>,
): Promise<boolean> {
  const updated = await db
    .updateTable("payment")
    .set(change)
    .where("uid", "=", uid)
    .where("status", "in", UNSETTLED)
    .returning("uid")
    .executeTakeFirst();
  return updated !== undefined;
}
