import type { Database } from "../database/tables";
import { keyUsedOtherwise, Refusal } from "../http/refusal";
import type { PaymentAnswer } from "./payment-answer";
import { findPaymentByKey, type Payment } from "../money/payments";

/** An idempotency key and the digest of its request. */
export type Idempotency = { key: string; digest: string };

type Actions = {
  createPayment: () => Promise<PaymentAnswer>;
  answerKnown: (payment: Payment) => Promise<PaymentAnswer>;
};

/**
 * Runs `createPayment` for a new key, and `answerKnown` with the stored payment for a repeated key
 * . When `createPayment` is refused with 409, the conflict may be the payment of a concurrent
 * request with the same key.
 * @throws Refusal 409 when the key belongs to another intent or another account
 */
export async function answerOnce(
  db: Database,
  accountUid: string,
  idempotency: Idempotency,
  { createPayment, answerKnown }: Actions,
): Promise<PaymentAnswer> {
  const known = await findRepeatedPayment(db, accountUid, idempotency);
  if (known) return answerKnown(known);
  try {
    return await createPayment();
  } catch (error) {
    const isConflict = error instanceof Refusal && error.status === 409;
    const concurrent = isConflict && (await findRepeatedPayment(db, accountUid, idempotency));
    if (!concurrent) throw error;
    return answerKnown(concurrent);
  }
}

async function findRepeatedPayment(
  db: Database,
  accountUid: string,
  { key, digest }: Idempotency,
): Promise<Payment | undefined> {
  const payment = await findPaymentByKey(db, key);
  if (!payment) return undefined;
  if (payment.account_uid === accountUid && payment.intent_digest === digest) return payment;
  throw keyUsedOtherwise();
}
