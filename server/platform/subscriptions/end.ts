import { write } from "./letters";
import { links } from "../mail/links";
import { scheduleDeletion } from "./schedule";
import { findRunning, type Subscription } from "./lookup";
import { hasUndecided, updateSubscription } from "./store";
import type { Life } from "./world";

type Ending = {
  at: Date;
  /** Where neither a stop nor the grace is the cause. */
  cause?: "returned";
};

/**
 * Ends what ran out, as of the moment it did, whoever is the first to notice: a new one may begin, and
 * the job at the end of grace finds nothing left to do.
 */
export async function endLapsed(life: Life, accountUid: string) {
  const running = await findRunning(life.db, accountUid);
  const at = running && new Date(running.grace_until ?? running.expires_at);
  if (at && at <= life.clock.now()) await endSubscription(life, running, { at });
}

/**
 * Access ends. The profile of who wanted to leave is deleted a day later, so that the end can be
 * seen; who only could not pay keeps it and may subscribe again (docs/decisions).
 */
export async function endSubscription(life: Life, subscription: Subscription, ending: Ending) {
  const { uid } = subscription;
  const endedAt = ending.at.toISOString();
  await updateSubscription(life.db, uid, { ended_at: endedAt, grace_until: null });
  const unpaid = subscription.cancelled_at === null;
  const deletedAt = unpaid ? null : await scheduleDeletion(life, subscription);
  const cause = ending.cause ?? (unpaid ? await causeOfGrace(life, subscription) : "stopped");
  await write(life, subscription, `ended:${uid}:${endedAt}`, (site) => ({
    ...{ kind: "subscription-ended", site, endedAt, deletedAt, cause },
    registerUrl: unpaid ? links.payment(site) : links.registration(site),
  }));
}

/** Nobody refused a charge that is undecided: the card is not the reason. */
const causeOfGrace = async ({ db }: Life, subscription: Subscription) =>
  (await hasUndecided(db, subscription, ["renewal"])) ? "not charged" : "unpaid";
