import { mailOwner } from "./letters";
import { links } from "../mail/links";
import { scheduleDeletion } from "./schedule";
import { findRunning, type Subscription } from "./lookup";
import { hasUndecidedPayment, updateSubscription } from "./store";
import type { SubscriptionContext } from "./context";

type Ending = {
  at: Date;
  /** Set when the money was returned; otherwise the cause is a stop or an unpaid renewal. */
  cause?: "returned";
};

/**
 * Ends a subscription that has run out, as of that time. Any caller may do it before the scheduled
 * job, so that a new subscription can begin.
 */
export async function endIfLapsed(context: SubscriptionContext, accountUid: string) {
  const running = await findRunning(context.db, accountUid);
  const at = running && new Date(running.grace_until ?? running.expires_at);
  if (at && at <= context.clock.now()) await endSubscription(context, running, { at });
}

/**
 * Ends a subscription and its access. After a stop the account is deleted a day later, so that its
 * owner can see the end. After an unpaid renewal the account stays and can subscribe again
 * (docs/decisions).
 */
export async function endSubscription(
  context: SubscriptionContext,
  subscription: Subscription,
  ending: Ending,
) {
  const { uid } = subscription;
  const endedAt = ending.at.toISOString();
  await updateSubscription(context.db, uid, { ended_at: endedAt, grace_until: null });
  const unpaid = subscription.cancelled_at === null;
  const deletedAt = unpaid ? null : await scheduleDeletion(context, subscription);
  const cause = ending.cause ?? (unpaid ? await readUnpaidCause(context, subscription) : "stopped");
  await mailOwner(context, subscription, `ended:${uid}:${endedAt}`, (site) => ({
    kind: "subscription-ended",
    site,
    endedAt,
    deletedAt,
    cause,
    registerUrl: unpaid ? links.payment(site) : links.registration(site),
  }));
}

/**
 * The cause of an unpaid end: "not charged" when the charge is undecided, so that the card is not
 * blamed.
 */
const readUnpaidCause = async ({ db }: SubscriptionContext, subscription: Subscription) =>
  (await hasUndecidedPayment(db, subscription, ["renewal"])) ? "not charged" : "unpaid";
