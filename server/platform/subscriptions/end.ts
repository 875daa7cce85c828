import { mailOwner } from "./letters";
import { links } from "../mail/links";
import { scheduleDeletion } from "./schedule";
import { findRunning, type Subscription } from "./lookup";
import { hasUndecided, updateSubscription } from "./store";
import type { SubscriptionContext } from "./context";

type Ending = {
  at: Date;
  /** Where neither a stop nor the grace is the cause. */
  cause?: "returned";
};

/**
 * Ends what ran out, as of the moment it did, whoever is the first to notice: a new one may begin, and
 * the job at the end of grace finds nothing left to do.
 */
export async function endLapsed(context: SubscriptionContext, accountUid: string) {
  const running = await findRunning(context.db, accountUid);
  const at = running && new Date(running.grace_until ?? running.expires_at);
  if (at && at <= context.clock.now()) await endSubscription(context, running, { at });
}

/**
 * Access ends. The profile of who wanted to leave is deleted a day later, so that the end can be
 * seen; who only could not pay keeps it and may subscribe again (docs/decisions).
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
  const cause = ending.cause ?? (unpaid ? await causeOfGrace(context, subscription) : "stopped");
  await mailOwner(context, subscription, `ended:${uid}:${endedAt}`, (site) => ({
    kind: "subscription-ended",
    site,
    endedAt,
    deletedAt,
    cause,
    registerUrl: unpaid ? links.payment(site) : links.registration(site),
  }));
}

/** Nobody refused a charge that is undecided: the card is not the reason. */
const causeOfGrace = async ({ db }: SubscriptionContext, subscription: Subscription) =>
  (await hasUndecided(db, subscription, ["renewal"])) ? "not charged" : "unpaid";
