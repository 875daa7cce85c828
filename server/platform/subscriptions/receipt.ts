import type { PaidOutcome } from "../ports/payment-gateway";
import { links } from "../mail/links";
import { findOrderingClient, type Payment } from "../money/payments";
import { isStoppedBy } from "./announcements";
import { findContractName } from "../money/contract-name";
import { hasNoCard } from "./due";
import { mailOwner } from "../mail/contract-mail";
import type { SubscriptionRow } from "../database/subscription-row";
import { findPlannedEnd } from "./planned-stop";
import type { SubscriptionContext } from "./context";

/**
 * Mails the receipt of a payment, with what it paid for, the next debit and the way to stop it.
 */
export async function mailReceipt(
  context: SubscriptionContext,
  subscription: SubscriptionRow,
  payment: Payment,
  { cardHint }: PaidOutcome,
) {
  const { uid, amount, payer_name } = payment;
  const date = context.clock.now().toISOString();
  const periodEnd = subscription.expires_at;
  const isDebited = await isDebitedNext(context, subscription);
  const { uid: reference } = subscription;
  const client = payer_name ?? (await findOrderingClient(context, subscription));
  const service = await findContractName(context.db, subscription);
  const plannedEnd = await findPlannedEnd(context, subscription);
  const nextDebit = isDebited ? { date: periodEnd, amount: subscription.amount } : null;
  const isUnannounced = payment.unannounced === 1;
  await mailOwner(context, subscription, `receipt:${uid}`, (site) => ({
    kind: "receipt",
    site,
    service,
    reference,
    client,
    amount,
    date,
    periodEnd,
    cardHint,
    nextDebit,
    isUnannounced,
    plannedEnd,
    cancelUrl: links.subscription(site),
  }));
}

/** Whether the card is debited at the end of the period: the contract has a card, and no stop comes before. */
async function isDebitedNext(context: SubscriptionContext, subscription: SubscriptionRow) {
  if (subscription.cancelled_at !== null || hasNoCard(subscription)) return false;
  return !(await isStoppedBy(context, subscription, subscription.expires_at));
}
