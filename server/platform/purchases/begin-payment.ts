import { requireActiveAccount } from "../accounts/active-account";
import type { Database } from "../database/tables";
import { insertPayment, type NewPayment, type Payment } from "../money/payments";
import { scheduleReconciliation } from "../subscriptions/reconciliation";
import { bringUpToDate } from "../subscriptions/stop";
import { hasNothingToPay } from "../subscriptions/subscription";
import { inTransaction } from "../database/transaction";
import type { PaymentContext } from "../subscriptions/context";

/**
 * Stores a payment and schedules its reconciliation with the bank. `also` runs in the same transaction.
 * Returns undefined when another payment was first.
 */
export async function beginPayment(
  context: PaymentContext,
  payment: NewPayment,
  also: (transaction: Database) => Promise<unknown> = async () => {},
): Promise<Payment | undefined> {
  const { uid, accountUid, intent, now } = payment;
  return inTransaction(context, async (context) => {
    const { db: transaction } = context;
    await requireActiveAccount(transaction, accountUid);
    await bringUpToDate(context, accountUid);
    if (await hasNothingToPay(context, accountUid, intent, now)) return undefined;
    const begun = await insertPayment(transaction, payment);
    if (!begun) return undefined;
    await also(transaction);
    await scheduleReconciliation(transaction, { paymentUid: uid, attempt: 1 }, now);
    return begun;
  });
}
