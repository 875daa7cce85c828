import { mailOwner } from "./letters";
import { links } from "../mail/links";
import { isUntried, scheduleDeletion } from "./schedule";
import { endOfStopped, findRunning, type Subscription } from "./lookup";
import { hasUndecided, updateSubscription } from "./store";
import type { SubscriptionContext } from "./context";

type Ending = {
  at: Date;
  /** Where neither a stop nor the grace is the cause. */
  cause?: "returned";
};

/**
 * Ends what ran out, as of the moment it did, whoever is the first to notice: a new one may begin, and
 * the job at the end of grace finds nothing left to do. A debit that was never tried is waited for.
 */
export async function endLapsed(context: SubscriptionContext, accountUid: string) {
  const running = await findRunning(context.db, accountUid);
  if (!running || !isPast(context, endOfStopped(running))) return;
  if (await isUntried(context.db, running)) return;
  await endSubscription(context, running, { at: new Date(endOfStopped(running)) });
}

const isPast = ({ clock }: SubscriptionContext, moment: string) =>
  moment <= clock.now().toISOString();

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
