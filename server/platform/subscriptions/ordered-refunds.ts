import { z } from "zod/v4";
import { lockAccount } from "../database/account-lock";
import { findContractOf } from "../database/subscription-row";
import type { Database } from "../database/tables";
import { inTransaction } from "../database/transaction";
import { whyDisputed } from "../money/claims";
import type { SubscriptionContext } from "./context";
import { findPeriodPayment, stateOfPeriod } from "./paid-period";
import { findPayment, type Payment } from "../money/payments";
import { readLeft, readReturned } from "../money/owed-refunds";
import { beginOrderedRefund } from "../money/refunds";
import { followMoney } from "./reversals";

type Store = Pick<SubscriptionContext, "db" | "clock">;

/** `amount`: cents, or null for all that is left. `by`: who orders it. */
type Order = { paymentUid: string; amount: number | null; by: string; reason: string };

/**
 * `effect`: a part goes back and access stays; the whole payment of a period that is over, or of none; or the
 * whole payment of a period that ends or is taken back with it.
 */
type Ordered = { refusal: string } | { amount: number; effect: "part" | "whole" | "period ends" };

/**
 * Orders a refund, once per payment and reason. Jobs of the site make it and let access follow: the caller
 * may be a command that does not know the site's name and address.
 * @returns in one sentence why it cannot be ordered, or what goes back
 */
export async function orderRefund(context: Store, order: Order): Promise<Ordered> {
  return inTransaction(context, async (context) => {
    const { db } = context;
    const known = await findPayment(db, order.paymentUid);
    if (!known) return { refusal: `There is no payment ${order.paymentUid}` };
    await lockAccount(db, known.account_uid);
    const payment = (await findPayment(db, known.uid)) ?? known;
    const refusal = await whyRefused(db, payment, order);
    if (refusal !== null) return { refusal };
    const left = await readLeft(db, payment);
    const amount = order.amount ?? left;
    const returned = await readReturned(db, payment);
    await beginOrderedRefund(context, payment, { ...order, amount });
    if (returned + amount < payment.amount) return { amount, effect: "part" };
    return { amount, effect: (await isPeriodOpen(context, payment)) ? "period ends" : "whole" };
  });
}

/** Whether the payment's period runs or is still to come. */
async function isPeriodOpen({ db, clock }: Store, { uid }: Payment): Promise<boolean> {
  const payment = await findPeriodPayment(db, uid);
  const subscription = payment && (await findContractOf(db, payment));
  if (!subscription || subscription.ended_at !== null) return false;
  return ["running", "coming"].includes(stateOfPeriod(payment, subscription, clock.now()));
}

const work = z.object({ paymentUid: z.string() });

/** Ends or resumes access after a refund was ordered or given up, as after one at the provider. */
export async function followOrderedRefund(context: SubscriptionContext, payload: unknown) {
  const { paymentUid } = work.parse(payload);
  await inTransaction(context, async (context) => {
    const payment = await findPayment(context.db, paymentUid);
    if (!payment) return;
    await lockAccount(context.db, payment.account_uid);
    await followMoney(context, payment);
  });
}

async function whyRefused(
  db: Database,
  payment: Payment,
  { amount, reason }: Order,
): Promise<string | null> {
  const { uid, status } = payment;
  const refunds = await db
    .selectFrom("refund")
    .selectAll()
    .where("payment_uid", "=", uid)
    .execute();
  const same = refunds.find((refund) => refund.reason === reason);
  if (same) {
    return (
      `Ordered before: ${same.amount} cents of ${uid}, on ${same.created_at} by ${same.ordered_by}, ` +
      `now "${same.status}"; a further refund needs another reason`
    );
  }
  // A payment that came after it was given up keeps its status, and is refunded all the same.
  if (status !== "success" && refunds.length === 0) return `Not paid: ${uid} is "${status}"`;
  const disputed = await whyDisputed(db, uid);
  if (disputed !== null) return disputed;
  if (payment.amount === 0) return `Nothing was paid with ${uid}`;
  const left = await readLeft(db, payment);
  if (left === 0) {
    return `Nothing is left of ${uid}: its ${payment.amount} cents went back, or are on their way`;
  }
  return amount !== null && amount > left ? `Only ${left} cents are left of ${uid}` : null;
}
