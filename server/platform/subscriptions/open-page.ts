import { z } from "zod/v4";
import { enqueue } from "../jobs/queue";
import type { PaymentContext, SubscriptionContext } from "./context";
import { withinDeadline } from "./deadline";
import { findPayment, findUnsettledPayment, isUnsettled, type Payment } from "./payments";
import { decidePayment } from "./settlement";

/** Kind of the job that closes the bank's page of a person who leaves. */
export const CLOSING = "payment.close-page";

/** Whoever leaves waits so long for the bank; then the job goes on. */
const CLOSED_WITHIN_MS = 3_000;
const JOB_AFTER_MS = 10_000;

const work = z.object({ paymentUid: z.string() });

/**
 * Has the bank's page of a person who leaves closed, in the transaction in which they leave: that
 * waits for no bank. What is paid there before goes back where the profile is gone or access has ended
 * (`followPayment`); otherwise it pays for the period it names, which is not renewed.
 */
export async function scheduleClosing(
  { db, clock }: Pick<SubscriptionContext, "db" | "clock">,
  accountUid: string,
) {
  const payment = await findUnsettledPayment(db, accountUid);
  if (!payment?.gateway_reference) return;
  const payload = { paymentUid: payment.uid };
  const key = `${CLOSING}:${payment.uid}`;
  const runAt = new Date(clock.now().getTime() + JOB_AFTER_MS);
  await enqueue(db, { kind: CLOSING, key, payload, runAt });
}

/** Work of the job: tried again until the bank answers, or the payment is decided otherwise. */
export async function closeScheduled(context: PaymentContext, payload: unknown) {
  const { paymentUid } = work.parse(payload);
  const payment = await findPayment(context.db, paymentUid);
  if (payment && isUnsettled(payment)) await close(context, payment);
}

/** Closes it at once where the bank answers, so that nothing is paid any more. */
export async function closeOpenPage(context: PaymentContext, accountUid: string) {
  const payment = await findUnsettledPayment(context.db, accountUid);
  if (!payment) return;
  await withinDeadline(context, CLOSED_WITHIN_MS, (context) => tryToClose(context, payment));
}

/** Where the bank does not answer, what follows goes on. */
export async function tryToClose(context: PaymentContext, payment: Payment) {
  try {
    await close(context, payment);
  } catch (error) {
    context.log.warn({ err: error, payment: payment.uid }, "payment page could not be closed");
  }
}

async function close(context: PaymentContext, { uid, gateway_reference }: Payment) {
  if (!gateway_reference) return;
  await decidePayment(context, uid, await context.gateway.closePaymentPage(gateway_reference));
}
