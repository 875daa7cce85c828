import { inTransaction } from "../database/transaction";
import type { PaymentContext } from "./context";
import { dueReasonOf, hasNoCard, isCardExpiredAtRenewal, cardNoticeAt } from "./due";
import { mailOwner } from "./letters";
import { links } from "../mail/links";
import { periodWork } from "./schedule";
import { findSubscription, type Subscription } from "./lookup";
import type { SubscriptionContext } from "./context";

/** Announces a renewal by mail, unless it is stopped (L215-1). */
export async function announceRenewal(context: PaymentContext, payload: unknown) {
  await announce(context, payload, async (context, subscription) => {
    const { uid, amount, expires_at: date } = subscription;
    if (hasNoCard(subscription)) return tellCardMissing(context, subscription, "renewal");
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
    if (hasNoCard(subscription)) return tellCardMissing(context, subscription, "trial");
    await mailOwner(context, subscription, `trial-ending:${uid}`, (site) => ({
      kind: "trial-ending",
      site,
      amount,
      date,
      cancelUrl: links.subscription(site),
    }));
  });
}

/** Work of the job that asks for another card, before one that expires or is gone fails the debit. */
export async function askForAnotherCard(context: PaymentContext, payload: unknown) {
  await announce(context, payload, async (context, subscription) => {
    const { uid, amount, expires_at: date, card_expiry: expiry } = subscription;
    if (hasNoCard(subscription)) return tellCardMissing(context, subscription, "card");
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

/** Work of the job that reminds who has no card, before the grace ends. */
export async function remindBeforeEnd(context: PaymentContext, payload: unknown) {
  const { subscriptionUid, due } = periodWork.parse(payload);
  await inTransaction(context, async (context) => {
    const subscription = await findSubscription(context.db, subscriptionUid);
    if (
      !subscription ||
      dueReasonOf(subscription, context.clock.now(), context.calendar) !== "missing"
    )
      return;
    if (subscription.expires_at === due) await tellCardMissing(context, subscription, "last");
  });
}

/** Why it is told that no card is known: each once for a period. */
type Occasion = "renewal" | "trial" | "card" | "due" | "last";

export async function tellCardMissing(
  context: SubscriptionContext,
  subscription: Subscription,
  occasion: Occasion,
) {
  const { uid, amount, expires_at: date, grace_until } = subscription;
  const from = cardNoticeAt(subscription, context.calendar);
  const when = occasion === "due" || occasion === "last" ? occasion : "before";
  await mailOwner(context, subscription, `card-missing:${uid}:${date}:${occasion}`, (site) => ({
    kind: "card-missing",
    site,
    amount,
    date,
    when,
    payFrom: from > context.clock.now() ? from.toISOString() : null,
    payUntil: grace_until ?? date,
    payUrl: links.payment(site),
  }));
}

/**
 * Does so for who still waits for that debit: neither stopped nor ended, nor paid already, nor to be
 * stopped by then. After a standstill the date may be past: then the receipt tells of the debit.
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
