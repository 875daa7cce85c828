import { BANK_CODES } from "../../../app/contract/bank-codes";
import { PaymentRefusal } from "../http/refusal";
import { mayReadPayment } from "../limits/provider-calls";
import { readAnswer, type PaymentAnswer } from "./payment-answer";
import { isUnsettled, type Payment } from "../money/payments";
import type { PageCaller } from "./payment-link";
import { refreshPayment } from "../subscriptions/reconciliation";
import type { PaymentContext } from "../subscriptions/context";

/**
 * Answers a repeated idempotency key with the first answer or, when that was Pending, with the
 * current state. Without an answer of the bank, or when it is asked too often, that is the stored one.
 * @throws PaymentRefusal when it failed
 */
export async function answerRepeated(
  context: PaymentContext,
  { principal, clientAddress }: PageCaller,
  payment: Payment,
): Promise<PaymentAnswer> {
  const caller = { accountUid: principal.uid, from: clientAddress };
  const mayAsk = isUnsettled(payment) && (await mayReadPayment(context, caller));
  const state = mayAsk ? await refreshPayment(context, payment) : null;
  if (state?.status === "open") return { status: "Pending", redirect: state.url };
  return readAnswer(context.db, payment.uid).catch(throwEarlier);
}

/**
 * The security code is no part of the digest of a request, so that a corrected one repeats it. Its
 * refusal concerns the code of the first request.
 */
function throwEarlier(refusal: unknown): never {
  if (!(refusal instanceof PaymentRefusal)) throw refusal;
  const { message, code } = refusal;
  const isOfCode = code !== undefined && BANK_CODES[code] === "code";
  throw new PaymentRefusal(message, code, isOfCode);
}
