import type { Database } from "../database/tables";
import { keyUsedOtherwise, Refusal } from "../http/refusal";
import type { PaymentAnswer } from "./payment-answer";
import { findPaymentByKey, type Payment } from "../subscriptions/payments";

/** A key, and what it stands for. */
export type Named = { key: string; digest: string };

type Ways = {
  first: () => Promise<PaymentAnswer>;
  again: (payment: Payment) => Promise<PaymentAnswer>;
};

/**
 * Answers a key: the first time by what is asked, afterwards by the payment it named. What
 * stood in the first one's way may be the key's own payment, begun at the same time.
 * @throws Refusal 409 when the key named another intent, or somebody else's
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
  throw keyUsedOtherwise();
}
