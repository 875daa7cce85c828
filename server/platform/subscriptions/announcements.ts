import { inTransaction } from "../database/transaction";
import type { PaymentContext } from "./context";
import { dueReasonOf, hasNoCard, isCardExpiredAtRenewal, cardNoticeAt } from "./due";
import { mailOwner } from "./letters";
import { links } from "../mail/links";
import { digestOf } from "../ports/digest";
import { isAnnounced, writeAnnouncement } from "./announcement-mails";
import { announcementWork, periodWork } from "./schedule";
import { updateSubscription } from "./store";
import { findSubscription, lockSubscription, type Subscription } from "./lookup";
import { needsRenewalNotice } from "./contract-periods";
import type { SubscriptionContext } from "./context";

/** Announces a renewal by mail, or the end of a long trial, unless it is stopped (L215-1). */
export async function announceRenewal(context: PaymentContext, payload: unknown) {
  await announce(context, payload, async (context, subscription, wasShown) => {
    if (hasNoCard(subscription)) return tellCardMissing(context, subscription, "renewal");
    await writeAnnouncement(context, "renewal-notice", subscription, { wasShown });
  });
}

/** Announces the first full debit after a trial. */
export async function announceTrialEnd(context: PaymentContext, payload: unknown) {
  await announce(context, payload, async (context, subscription, wasShown) => {
    if (hasNoCard(subscription)) return tellCardMissing(context, subscription, "trial");
    // A notice that is so late moves the debit, and this reminder with it.
    if (!wasShown && (await lacksNotice(context, subscription))) return;
    await writeAnnouncement(context, "trial-ending", subscription, { wasShown });
  });
}

const lacksNotice = async ({ db, calendar }: SubscriptionContext, subscription: Subscription) =>
  needsRenewalNotice(subscription, calendar) &&
  !(await isAnnounced(db, "renewal-notice", subscription));

/**
 * Work of the job that asks for another card, before one that expires or is gone fails the debit. Banks
 * also debit expired cards that they replaced, so that each card is told once, not at each debit.
 */
export async function askForAnotherCard(context: PaymentContext, payload: unknown) {
  await announce(context, payload, async (context, subscription) => {
    const { uid, amount, expires_at: date, card_expiry: expiry } = subscription;
    if (hasNoCard(subscription)) return tellCardMissing(context, subscription, "card");
    if (expiry === null || !isCardExpiredAtRenewal(subscription)) return;
    const card = digestOf([subscription.card_reference, expiry]);
    if (subscription.card_told === card) return;
    await mailOwner(context, subscription, `card-expiring:${uid}:${date}`, (site) => ({
      kind: "card-expiring",
      site,
      amount,
      expiry,
      date,
      payUrl: links.payment(site),
    }));
    await updateSubscription(context.db, uid, { card_told: card });
  });
}

/** Job that reminds a person without a usable card before the grace ends. */
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

/** Why a mail about a missing card is sent. Each reason is mailed once per period. */
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
 * Mails an announcement if its debit is still to come: the contract is not stopped, ended or paid, and no
 * stop is planned before. After downtime the date may have passed; then the receipt reports the debit.
 */
async function announce(
  context: PaymentContext,
  payload: unknown,
  send: (
    context: SubscriptionContext,
    subscription: Subscription,
    wasShown: boolean,
  ) => Promise<void>,
) {
  const { subscriptionUid, due, wasShown = false } = announcementWork.parse(payload);
  await inTransaction(context, async (context) => {
    const subscription = await lockSubscription(context.db, subscriptionUid);
    if (!subscription || subscription.ended_at || subscription.cancelled_at) return;
    if (subscription.expires_at !== due || due <= context.clock.now().toISOString()) return;
    if (await isStoppedBy(context, subscription, due)) return;
    await send(context, subscription, wasShown);
  });
}

/** Tells whether a cancellation with a wished day stops the contract before that debit. */
export async function isStoppedBy(
  { db }: Pick<SubscriptionContext, "db">,
  { uid }: Subscription,
  due: string,
) {
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
