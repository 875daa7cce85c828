import type { Database } from "../database/tables";
import { Refusal } from "../http/refusal";
import type { PaymentAnswer } from "./payment-answer";
import { findPaymentByKey, type Payment } from "../subscriptions/payments";

/** An idempotency key and the digest of its request. */
export type Named = { key: string; digest: string };

type Ways = {
  first: () => Promise<PaymentAnswer>;
  again: (payment: Payment) => Promise<PaymentAnswer>;
};

/**
 * Runs `first` for a new key and `again` with its payment for a repeated key. When `first`
 * is refused with 409, the conflict may be the payment of a concurrent request with the same key.
 * @throws Refusal 409 when the key belongs to another intent or another account
 */
export async function answerOnce(
  db: Database,
  accountUid: string,
  named: Named,
  { first, again }: Ways,
): Promise<PaymentAnswer> {
  const known = await findNamedPayment(db, accountUid, named);
  if (known) return again(known);
  try {
    return await first();
  } catch (error) {
    const inTheWay = error instanceof Refusal && error.status === 409;
    const begun = inTheWay && (await findNamedPayment(db, accountUid, named));
    if (!begun) throw error;
    return again(begun);
  }
}

async function findNamedPayment(
  db: Database,
  accountUid: string,
  { key, digest }: Named,
): Promise<Payment | undefined> {
  const payment = await findPaymentByKey(db, key);
  if (!payment) return undefined;
  if (payment.account_uid === accountUid && payment.intent_digest === digest) return payment;
  throw new Refusal(409, "This idempotency key was used for something else");
}
