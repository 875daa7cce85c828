import { refreshPayment } from "./reconciliation";
import { inTransaction } from "../database/transaction";
import type { PaymentContext } from "./context";
import { tryToClose } from "./open-page";
import { periodWork } from "./schedule";
import {
  findSubscription,
  lockSubscription,
  type SubscriptionRow,
} from "../database/subscription-row";
import { bringUpToDate } from "./stop";
import { findUnsettledOfPeriod } from "../money/undecided-debit";
import type { SubscriptionContext } from "./context";

/**
 * Ends an unpaid subscription at the end of its grace. The provider is asked a last time; a charge
 * that it decides later is refunded (`applyPayment`).
 */
export async function endUnpaid(context: PaymentContext, payload: unknown) {
  const { subscriptionUid, due } = periodWork.parse(payload);
  const subscription = await findSubscription(context.db, subscriptionUid);
  if (!subscription || !isDue(context, subscription, due)) return;
  await refreshUnsettled(context, subscription);
  await inTransaction(context, async (context) => {
    const unpaid = await lockSubscription(context.db, subscriptionUid);
    if (unpaid && isDue(context, unpaid, due)) await bringUpToDate(context, unpaid.account_uid);
  });
}

/** False when the period is paid, the subscription ended, or a later end is set. */
function isDue(
  { clock }: Pick<SubscriptionContext, "clock">,
  subscription: SubscriptionRow,
  due: string,
) {
  const { ended_at, expires_at, grace_until } = subscription;
  return (
    ended_at === null && expires_at === due && (grace_until ?? "") <= clock.now().toISOString()
  );
}

async function refreshUnsettled(context: PaymentContext, subscription: SubscriptionRow) {
  const unsettled = await findUnsettledOfPeriod(context.db, subscription);
  if (unsettled?.kind === "first") await tryToClose(context, unsettled);
  else if (unsettled) await refreshPayment(context, unsettled);
}
