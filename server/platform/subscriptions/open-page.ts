import { z } from "zod/v4";
import { enqueue } from "../jobs/queue";
import type { PaymentContext, SubscriptionContext } from "./context";
import { runWithDeadline } from "../money/deadline";
import { findPayment, findUnsettledPayment, isUnsettled, type Payment } from "../money/payments";
import { recordDecision } from "./settlement";

/** Kind of the job that closes a payment page on which nothing is to be paid any more. */
export const CLOSE_PAGE = "payment.close-page";

/** Time to wait for the bank in the request; afterwards the job continues. */
const CLOSE_DEADLINE_MS = 3_000;
const JOB_AFTER_MS = 10_000;

const work = z.object({ paymentUid: z.string() });

/**
 * Schedules closing the payment page of a leaving person, in the transaction of their leaving,
 * which cannot wait for the bank. A payment made on the page before is refunded when the account is
 * erased or access has ended (`applyPayment`); otherwise it pays for its period, which is not
 * renewed.
 */
export async function scheduleClosing(
  { db, clock }: Pick<SubscriptionContext, "db" | "clock">,
  accountUid: string,
) {
  const payment = await findUnsettledPayment(db, accountUid);
  if (payment) await schedule({ db, clock }, payment);
}

/**
 * Schedules closing the page of a new contract, because an earlier one goes on: beside it, a payment would only go
 * back. A page of the earlier one stays, as it pays its period.
 */
export async function scheduleClosingOrder(
  { db, clock }: Pick<SubscriptionContext, "db" | "clock">,
  accountUid: string,
) {
  const payment = await findUnsettledPayment(db, accountUid);
  if (payment?.subscription_uid === null) await schedule({ db, clock }, payment);
}

async function schedule(
  { db, clock }: Pick<SubscriptionContext, "db" | "clock">,
  { uid, gateway_reference }: Payment,
) {
  if (!gateway_reference) return;
  const payload = { paymentUid: uid };
  const key = `${CLOSE_PAGE}:${uid}`;
  const runAt = new Date(clock.now().getTime() + JOB_AFTER_MS);
  await enqueue(db, { kind: CLOSE_PAGE, key, payload, runAt });
}

/** Closes the page; the job is retried until the bank answers or the payment is decided. */
export async function closeScheduled(context: PaymentContext, payload: unknown) {
  const { paymentUid } = work.parse(payload);
  const payment = await findPayment(context.db, paymentUid);
  if (payment && isUnsettled(payment)) await closePage(context, payment);
}

/** Closes the page at once if the bank answers in time. */
export async function closeOpenPage(context: PaymentContext, accountUid: string) {
  const payment = await findUnsettledPayment(context.db, accountUid);
  if (!payment) return;
  await runWithDeadline(context, CLOSE_DEADLINE_MS, (context) => tryToClose(context, payment));
}

/** Tries to close the page; a failure is only logged. */
export async function tryToClose(context: PaymentContext, payment: Payment) {
  try {
    await closePage(context, payment);
  } catch (error) {
    context.log.warn({ err: error, payment: payment.uid }, "payment page could not be closed");
  }
}

async function closePage(context: PaymentContext, { uid, gateway_reference }: Payment) {
  if (!gateway_reference) return;
  await recordDecision(context, uid, await context.gateway.closePaymentPage(gateway_reference));
}
