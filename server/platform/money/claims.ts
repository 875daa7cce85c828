import { DAY_MS } from "../ports/durations";
import type { Database } from "../database/tables";
import { isPaymentOf, type SubscriptionRow } from "../database/subscription-row";

/** Days for which an open dispute delays a deletion: banks decide within four months. */
export const DISPUTE_DAYS = 120;

/** Tells whether a payment of the contract has an open or lost claim. */
export async function hasClaim(db: Database, subscription: SubscriptionRow): Promise<boolean> {
  const claim = await db
    .selectFrom("payment_claim")
    .innerJoin("payment", "payment.uid", "payment_claim.payment_uid")
    .select("payment_claim.reference")
    .where(isPaymentOf(subscription))
    .where("payment_claim.status", "!=", "won")
    .executeTakeFirst();
  return claim !== undefined;
}

/** Says, in one sentence for the operator, that a bank is still deciding on the payment; null otherwise. */
export async function whyDisputed(db: Database, paymentUid: string): Promise<string | null> {
  const dispute = await db
    .selectFrom("payment_claim")
    .select("reference")
    .where("payment_uid", "=", paymentUid)
    .where("kind", "=", "dispute")
    .where("status", "=", "open")
    .executeTakeFirst();
  return dispute
    ? `Disputed: the bank of the cardholder decides who gets the money of ${paymentUid}`
    : null;
}

/** Tells whether a bank is still deciding a dispute about a payment of the account. */
export async function isDisputed(db: Database, accountUid: string, now: Date): Promise<boolean> {
  const since = new Date(now.getTime() - DISPUTE_DAYS * DAY_MS).toISOString();
  const dispute = await db
    .selectFrom("payment_claim")
    .innerJoin("payment", "payment.uid", "payment_claim.payment_uid")
    .select("payment_claim.reference")
    .where("payment.account_uid", "=", accountUid)
    .where("payment_claim.kind", "=", "dispute")
    .where("payment_claim.status", "=", "open")
    .where("payment_claim.created_at", ">", since)
    .executeTakeFirst();
  return dispute !== undefined;
}
