import { mailOwner } from "./letters";
import { links } from "../mail/links";
import { isUntried, scheduleDeletion } from "./schedule";
import { endOfStopped, findRunning, type Subscription } from "./lookup";
import { hasUndecidedPayment, updateSubscription } from "./store";
import type { SubscriptionContext } from "./context";

type Ending = {
  at: Date;
  /** Set when the money was returned; otherwise the cause is a stop or an unpaid renewal. */
  cause?: "returned";
};

/**
 * Ends what ran out, as of the moment it did, whoever is the first to notice: a new one may begin, and
 * the job at the end of grace finds nothing left to do. A debit that was never tried is waited for.
 */
export async function endIfLapsed(context: SubscriptionContext, accountUid: string) {
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
