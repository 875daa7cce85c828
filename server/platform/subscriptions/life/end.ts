import { inTransaction, type World } from "../world";
import { write } from "./letters";
import { links } from "../../mail/links";
import { periodWork, scheduleDeletion, scheduleEnd } from "./schedule";
import { findUndecided, lockSubscription, updateSubscription, type Subscription } from "./store";
import type { Life } from "./world";

/**
 * Access ends. The profile of who wanted to leave is deleted a day later, so that the end can be
 * seen; who only could not pay keeps it and may subscribe again (docs/decisions).
 */
export async function endSubscription(
  life: Life,
  subscription: Subscription,
  { at }: { at: Date },
) {
  const { uid } = subscription;
  const endedAt = at.toISOString();
  await updateSubscription(life.db, uid, { ended_at: endedAt, grace_until: null });
  const unpaid = subscription.cancelled_at === null;
  const deletedAt = unpaid ? null : await scheduleDeletion(life, subscription);
  await write(life, subscription, `ended:${uid}:${endedAt}`, (site) => ({
    ...{ kind: "subscription-ended", site, endedAt, deletedAt },
    registerUrl: unpaid ? links.payment(site) : links.registration(site),
  }));
}

/** Work of the job at the end of grace. A charge that is still being decided is waited for. */
export async function endUnpaid(world: World, payload: unknown) {
  const { subscriptionUid, due } = periodWork.parse(payload);
  await inTransaction(world, async (life) => {
    const subscription = await lockSubscription(life.db, subscriptionUid);
    if (!subscription || subscription.ended_at || subscription.expires_at !== due) return;
    if (await findUndecided(life.db, subscription)) return extend(life, subscription);
    await endSubscription(life, subscription, { at: life.clock.now() });
  });
}

async function extend(life: Life, subscription: Subscription) {
  const until = life.calendar(life.clock.now(), 1, "day");
  await updateSubscription(life.db, subscription.uid, { grace_until: until.toISOString() });
  await scheduleEnd(life, subscription, until);
}
