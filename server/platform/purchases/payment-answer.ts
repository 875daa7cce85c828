import type { z } from "zod/v4";
import type { paymentAnswer } from "../../../app/contract/subscriptions";
import type { Database } from "../database/tables";
import { PaymentRefusal } from "../http/refusal";
import { readFailure } from "../money/payment-state";
import { findPayment } from "../money/payments";

export type PaymentAnswer = z.infer<typeof paymentAnswer>;

/**
 * The answer to the caller of a payment, from its stored state.
 * @throws PaymentRefusal with the provider's code when it failed
 */
export async function readAnswer(db: Database, uid: string): Promise<PaymentAnswer> {
  const payment = await findPayment(db, uid);
  if (!payment) throw new Error(`Payment ${uid} is gone`);
  const failure = await readFailure(db, payment);
  if (failure) throw new PaymentRefusal(failure.message, failure.code);
  return { status: payment.status === "success" ? "Success" : "Pending" };
}
