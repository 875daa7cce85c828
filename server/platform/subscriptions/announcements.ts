import { inTransaction } from "../database/transaction";
import type { PaymentContext } from "./context";
import { isCardExpiredAtRenewal } from "./due";
import { mailOwner } from "./letters";
import { links } from "../mail/links";
import { periodWork } from "./schedule";
import { findSubscription, type Subscription } from "./lookup";
import type { SubscriptionContext } from "./context";

/** Announces a renewal by mail, unless it is stopped (L215-1). */
export async function announceRenewal(context: PaymentContext, payload: unknown) {
  await announce(context, payload, async (context, subscription) => {
    const { uid, amount, expires_at: date } = subscription;
    await mailOwner(context, subscription, `renewal-notice:${uid}:${date}`, (site) => ({
      kind: "renewal-notice",
      site,
      amount,
      date,
      cancelUrl: links.subscription(site),
    }));
  });
}

/** Announces the first full debit after a trial. */
export async function announceTrialEnd(context: PaymentContext, payload: unknown) {
  await announce(context, payload, async (context, subscription) => {
    const { uid, amount, expires_at: date } = subscription;
    await mailOwner(context, subscription, `trial-ending:${uid}`, (site) => ({
      kind: "trial-ending",
      site,
      amount,
      date,
      cancelUrl: links.subscription(site),
    }));
  });
}

/** Asks for another card before the stored one expires. */
export async function askForAnotherCard(context: PaymentContext, payload: unknown) {
  await announce(context, payload, async (context, subscription) => {
    const { uid, amount, expires_at: date, card_expiry: expiry } = subscription;
    if (expiry === null || !isCardExpiredAtRenewal(subscription)) return;
    await mailOwner(context, subscription, `card-expiring:${uid}:${date}`, (site) => ({
      kind: "card-expiring",
      site,
      amount,
      expiry,
      date,
      payUrl: links.payment(site),
    }));
  });
}

/**
 * Runs the announcement if the debit is still ahead: not stopped, ended, paid, or to be stopped
 * before. After an outage the date may be past; the receipt then reports the debit.
 */
async function announce(
  context: PaymentContext,
  payload: unknown,
  send: (context: SubscriptionContext, subscription: Subscription) => Promise<void>,
) {
  const { subscriptionUid, due } = periodWork.parse(payload);
  await inTransaction(context, async (context) => {
    const subscription = await findSubscription(context.db, subscriptionUid);
    if (!subscription || subscription.ended_at || subscription.cancelled_at) return;
    if (subscription.expires_at !== due || due <= context.clock.now().toISOString()) return;
    if (await isStoppedBy(context, subscription, due)) return;
    await send(context, subscription);
  });
}

/** Tells whether a cancellation with a wished day stops the contract before that debit. */
async function isStoppedBy({ db }: SubscriptionContext, { uid }: Subscription, due: string) {
  const planned = await db
    .selectFrom("contract_notice")
    .select("uid")
    .where("subscription_uid", "=", uid)
    .where("kind", "=", "cancellation")
    .where("undone_at", "is", null)
    .where("stops_at", "<", due)
    .executeTakeFirst();
  return planned !== undefined;
}
