import type { Database } from "../database/tables";
import { UNSETTLED, type Payment } from "../money/payments";
import type { Refunded } from "../mail/letters";
import { reviewPaidCredit } from "./credit-payment";
import { voidCredit } from "./credits";
import { endSubscription } from "./end";
import { readOwnRefund } from "../money/owed-refunds";
import { refundPayment } from "../money/refunds";
import { scheduleDeletion } from "./schedule";
import type { SubscriptionRow } from "../database/subscription-row";
import { updateSubscription } from "./store";
import { readUndecidedAmount } from "../money/undecided-debit";
import type { SubscriptionContext } from "./context";

/**
 * Withdraws from a contract, once: all payments are refunded and access ends at once (L221-24). An
 * undecided charge is refunded when it is decided.
 */
export async function withdrawFromContract(
  context: SubscriptionContext,
  subscription: SubscriptionRow,
): Promise<Refunded> {
  const payments = await paymentsOf(context, subscription);
  const isRepeat = subscription.withdrawn_at !== null;
  let [refunded, owed, elsewhere] = [0, 0, 0];
  let isUndecided = false;
  for (const payment of payments) {
    await refundPayment(context, payment);
    const ownRefund = await readOwnRefund(context.db, payment);
    if (isRepeat || !ownRefund.isDone) refunded += ownRefund.amount;
    owed += ownRefund.owed;
    elsewhere += ownRefund.elsewhere;
    isUndecided ||= ownRefund.isUndecided;
  }
  if (!isRepeat) await endWithdrawn(context, subscription);
  const undecidedDebit = await readUndecidedAmount(context.db, subscription);
  return {
    amount: refunded,
    owed,
    isUndecided,
    elsewhere,
    isFree: await isFree(context, subscription),
    undecidedDebit,
  };
}

async function endWithdrawn(context: SubscriptionContext, subscription: SubscriptionRow) {
  const now = context.clock.now();
  const withdrawn = await updateSubscription(context.db, subscription.uid, {
    withdrawn_at: now.toISOString(),
    cancelled_at: subscription.cancelled_at ?? now.toISOString(),
  });
  await voidCredit(context, withdrawn, "withdrawn");
  await reviewPaidCredit(context, withdrawn);
  if (withdrawn.ended_at) await scheduleDeletion(context, withdrawn);
  else await endSubscription(context, withdrawn, { at: now });
}

async function paymentsOf(
  { db }: SubscriptionContext,
  subscription: SubscriptionRow,
): Promise<Payment[]> {
  return selectPayments(db, subscription).selectAll().where("status", "=", "success").execute();
}

/** A charge that the bank has not decided may still be debited, and is refunded then. */
async function isFree({ db }: SubscriptionContext, subscription: SubscriptionRow) {
  const charged = await selectPayments(db, subscription)
    .select("uid")
    .where("amount", ">", 0)
    .where("status", "in", [...UNSETTLED, "success"])
    .executeTakeFirst();
  return charged === undefined;
}

const selectPayments = (db: Database, { uid, payment_uid }: SubscriptionRow) =>
  db
    .selectFrom("payment")
    .where((e) => e.or([e("uid", "=", payment_uid), e("subscription_uid", "=", uid)]));
