import { sql, type UpdateObject } from "kysely";
import type { Affiliation } from "../../../app/contract/accounts";
import { offer, type Offer } from "../../../app/contract/subscriptions";
import type { Context } from "../database/context";
import type { SubscriptionRow } from "../database/subscription-row";
import type { Database, Tables } from "../database/tables";
import type { PaymentName } from "../ports/payment-gateway";

export type Payment = Tables["payment"];

/** The bank has not decided: the page is open, or the payment was ordered. */
export const UNSETTLED = ["open", "pending"] as const satisfies Payment["status"][];

export const isUnsettled = ({ status }: Pick<Payment, "status">) =>
  UNSETTLED.some((unsettled) => unsettled === status);

/** UNSETTLED in a statement: `status in ${UNSETTLED_SQL}`. */
export const UNSETTLED_SQL = sql`(${sql.join(UNSETTLED.map((status) => sql.lit(status)))})`;

/** The identifiers by which the provider finds a payment. */
export const paymentNameOf = ({ uid, gateway_reference, account_uid }: Payment): PaymentName => ({
  paymentUid: uid,
  reference: gateway_reference,
  payer: account_uid,
});

/**
 * The number on the receipt of a payment: the last 48 random bits of its uid, in groups that can be read out.
 * It follows from what the books hold, so that it never changes and no second numbering can contradict them.
 */
export function receiptNumberOf(uid: string): string {
  const digits = uid.replaceAll("-", "").toUpperCase();
  return (
    digits
      .slice(-12)
      .match(/.{1,4}/g)
      ?.join("-") ?? digits
  );
}

/** Finds the unsettled payment that a person made on a page, if any; renewals are not included. */
export async function findUnsettledPayment(db: Database, accountUid: string) {
  return db
    .selectFrom("payment")
    .selectAll()
    .where("account_uid", "=", accountUid)
    .where("kind", "=", "first")
    .where("status", "in", UNSETTLED)
    .executeTakeFirst();
}

export async function findPayment(db: Database, uid: string) {
  return db.selectFrom("payment").selectAll().where("uid", "=", uid).executeTakeFirst();
}

export async function findPaymentByKey(db: Database, key: string) {
  return db.selectFrom("payment").selectAll().where("idempotency_key", "=", key).executeTakeFirst();
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

/** The name given with the order: a renewal that is charged by itself asks for none. */
export async function findOrderingClient(
  { db }: Pick<Context, "db">,
  { payment_uid }: Pick<SubscriptionRow, "payment_uid">,
): Promise<string | null> {
  const order = await db
    .selectFrom("payment")
    .select("payer_name")
    .where("uid", "=", payment_uid)
    .executeTakeFirst();
  return order?.payer_name ?? null;
}

/** The terms under which an order is made. */
export type AgreedTerms = {
  /** Null on a site without terms, and for a due period, which stays under those of its contract. */
  digest: string | null;
  /** Whether this order accepts the terms, because they were not accepted before. */
  isAcceptedNow: boolean;
  /** Whether the caller named the terms. */
  isNamed: boolean;
};

/** The purchase of a payment. */
export type PaidIntent = {
  /** The offer as shown and charged; the contract has these terms even when the formula changes. */
  offer: Offer;
  /** Set when it pays a due period: the subscription and the start of the period. */
  due: { uid: string; due: string } | null;
  trafficToken: string | null;
  cashback: boolean;
  affiliation: Affiliation | null;
  terms: AgreedTerms;
  /** Origin of the site. */
  origin: string;
  digest: string;
  /** Idempotency key of the caller, if it sent one. */
  key: string | null;
};

export type NewPayment = {
  uid: string;
  accountUid: string;
  intent: PaidIntent;
  now: Date;
  /** Name as given with the order, where it was asked. */
  payerName?: string;
  /** Words of the button that orders; null where the provider chooses them. */
  orderButton: string | null;
} & ({ status: "open"; reference: string } | { status: "pending"; reference: null });

/**
 * Inserts a payment. Undefined when the person has another unsettled payment or the key is used: unique
 * indexes allow only one at a time.
 */
export async function insertPayment(
  db: Database,
  { uid, accountUid, intent, now, status, reference, payerName, orderButton }: NewPayment,
): Promise<Payment | undefined> {
  return db
    .insertInto("payment")
    .values({
      uid,
      account_uid: accountUid,
      formula_uid: intent.offer.formula,
      traffic_token: intent.trafficToken,
      kind: "first",
      amount: intent.offer.amountNow,
      offer: JSON.stringify(intent.offer),
      cashback: intent.cashback ? 1 : 0,
      affiliation_token: intent.affiliation?.token ?? null,
      affiliation_platform: intent.affiliation?.platform ?? null,
      idempotency_key: intent.key,
      intent_digest: intent.digest,
      status,
      gateway_reference: reference,
      created_at: now.toISOString(),
      // A card typed on the site is ordered with at once.
      ordered_at: status === "pending" ? now.toISOString() : null,
      subscription_uid: intent.due?.uid ?? null,
      period_start: intent.due?.due ?? null,
      origin: intent.origin,
      terms_digest: intent.terms.digest,
      terms_accepted_at: intent.terms.isAcceptedNow ? now.toISOString() : null,
      terms_named: intent.due ? null : intent.terms.isNamed ? 1 : 0,
      payer_name: payerName ?? null,
      order_button: orderButton,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
}

/** The offer of a payment; null for a renewal and for payments older than stored offers. */
export function offerOfPayment({ offer: kept }: Payment): Offer | null {
  return kept === null ? null : offer.parse(JSON.parse(kept));
}

/** Updates an unsettled payment; false when it is already settled, because the first decision stands. */
export async function updateUnsettledPayment(
  db: Database,
  uid: string,
  change: UpdateObject<Tables, "payment">,
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

/** Records that the page is open, when the process died before it could. */
export async function recordOpenPage(db: Database, payment: Payment, reference?: string) {
  if (payment.status === "open") return;
  const gateway_reference = reference ?? payment.gateway_reference;
  await updateUnsettledPayment(db, payment.uid, { status: "open", gateway_reference });
}
