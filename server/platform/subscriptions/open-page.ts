import { decidePayment } from "./settlement";
import type { PaymentContext } from "./context";

/**
 * Takes the bank's page of a person who leaves out of use, so that nothing is paid any more. Where
 * the bank does not answer, leaving goes on: what is paid there later goes back (`followPayment`).
 */
export async function closeOpenPage(context: PaymentContext, accountUid: string) {
  const payment = await context.db
    .selectFrom("payment")
    .select(["uid", "gateway_reference"])
    .where("account_uid", "=", accountUid)
    .where("kind", "=", "first")
    .where("status", "in", ["open", "pending"])
    .executeTakeFirst();
  if (!payment?.gateway_reference) return;
  try {
    const decision = await context.gateway.closePaymentPage(payment.gateway_reference);
    await decidePayment(context, payment.uid, decision);
  } catch (error) {
    context.log.warn({ err: error, payment: payment.uid }, "payment page could not be closed");
  }
}
