import { write } from "./letters";
import { links } from "../../mail/links";
import { scheduleDeletion } from "./schedule";
import { updateSubscription, type Subscription } from "./store";
import type { Life } from "./world";

type Ending = {
  at: Date;
  /** Why; by default what the subscription itself tells. */
  cause?: "stopped" | "unpaid" | "not charged" | "returned";
};

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
  const cause = ending.cause ?? (unpaid ? "unpaid" : "stopped");
  await write(life, subscription, `ended:${uid}:${endedAt}`, (site) => ({
    ...{ kind: "subscription-ended", site, endedAt, deletedAt, cause },
    registerUrl: unpaid ? links.payment(site) : links.registration(site),
  }));
}
