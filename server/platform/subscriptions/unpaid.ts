import { askNow } from "./reconciliation";
import { inTransaction } from "../database/transaction";
import type { PaymentContext } from "./context";
import { tryToClose } from "./open-page";
import { periodWork } from "./schedule";
import { findSubscription, lockSubscription, type Subscription } from "./lookup";
import { bringUpToDate } from "./stop";
import { findUndecided } from "./store";
import type { SubscriptionContext } from "./context";

/**
 * Work of the job at the end of grace: who has not paid by then has access no more, whatever is
 * still undecided. The provider is asked a last time; what it decides later goes back
 * (`followPayment`).
 */
export async function endUnpaid(context: PaymentContext, payload: unknown) {
  const { subscriptionUid, due } = periodWork.parse(payload);
  const subscription = await findSubscription(context.db, subscriptionUid);
  if (!subscription || !isDue(context, subscription, due)) return;
  await askLast(context, subscription);
  await inTransaction(context, async (context) => {
    const unpaid = await lockSubscription(context.db, subscriptionUid);
    if (unpaid && isDue(context, unpaid, due)) await bringUpToDate(context, unpaid.account_uid);
  });
}

/** False once it is paid or ended, or where a later end was set. */
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

async function askLast(context: PaymentContext, subscription: Subscription) {
  const undecided = await findUndecided(context.db, subscription);
  if (undecided?.kind === "first") await tryToClose(context, undecided);
  else if (undecided) await askNow(context, undecided);
}
