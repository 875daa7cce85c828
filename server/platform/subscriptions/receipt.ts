import type { PaidOutcome } from "../ports/payment-gateway";
import type { Payment } from "./payments";
import { mailOwner } from "./letters";
import type { Subscription } from "./lookup";
import type { SubscriptionContext } from "./context";

/** Mails the receipt of a payment. */
export async function mailReceipt(
  context: SubscriptionContext,
  subscription: Subscription,
  { uid, amount }: Payment,
  { cardHint }: PaidOutcome,
) {
  const date = context.clock.now().toISOString();
  const periodEnd = subscription.expires_at;
  await mailOwner(context, subscription, `receipt:${uid}`, (site) => ({
    kind: "receipt",
    site,
    amount,
    date,
    periodEnd,
    cardHint,
  }));
}
