import { inTransaction, type World } from "../world";
import { write } from "./letters";
import { links } from "../../mail/links";
import { periodWork } from "./schedule";
import { findSubscription } from "./store";

/** Work of the job that announces a renewal, to who has not stopped it (L215-1). */
export async function announceRenewal(world: World, payload: unknown) {
  const { subscriptionUid, due } = periodWork.parse(payload);
  await inTransaction(world, async (life) => {
    const subscription = await findSubscription(life.db, subscriptionUid);
    if (!subscription || subscription.ended_at || subscription.cancelled_at) return;
    if (subscription.expires_at !== due) return;
    const { amount } = subscription;
    await write(life, subscription, `renewal-notice:${subscriptionUid}:${due}`, (site) => ({
      ...{ kind: "renewal-notice", site, amount, date: due, cancelUrl: links.subscription(site) },
    }));
  });
}
