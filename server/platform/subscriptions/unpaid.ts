import { refreshPayment } from "./reconciliation";
import { inTransaction } from "../database/transaction";
import type { PaymentContext } from "./context";
import { tryToClose } from "./open-page";
import { periodWork } from "./schedule";
import { findSubscription, lockSubscription, type Subscription } from "./lookup";
import { bringUpToDate } from "./stop";
import { findUndecidedPayment } from "./store";
import type { SubscriptionContext } from "./context";

/**
 * Ends an unpaid subscription at the end of its grace. The provider is asked a last time; a charge
 * that it decides later is refunded (`applyPayment`).
 */
export async function endUnpaid(context: PaymentContext, payload: unknown) {
  const { subscriptionUid, due } = periodWork.parse(payload);
  const subscription = await findSubscription(context.db, subscriptionUid);
  if (!subscription || !isDue(context, subscription, due)) return;
  await refreshUndecided(context, subscription);
  await inTransaction(context, async (context) => {
    const unpaid = await lockSubscription(context.db, subscriptionUid);
    if (unpaid && isDue(context, unpaid, due)) await bringUpToDate(context, unpaid.account_uid);
  });
}

/** False when the period is paid, the subscription ended, or a later end is set. */
function isDue(
  { clock }: Pick<SubscriptionContext, "clock">,
  subscription: Subscription,
  due: string,
) {
  const { ended_at, expires_at, grace_until } = subscription;
  return (
    ended_at === null && expires_at === due && (grace_until ?? "") <= clock.now().toISOString()
  );
}

async function refreshUndecided(context: PaymentContext, subscription: Subscription) {
  const undecided = await findUndecidedPayment(context.db, subscription);
  if (undecided?.kind === "first") await tryToClose(context, undecided);
  else if (undecided) await refreshPayment(context, undecided);
}
