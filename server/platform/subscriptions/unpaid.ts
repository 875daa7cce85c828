import { askNow } from "./reconciliation";
import { inTransaction, type World } from "./world";
import { endSubscription } from "./end";
import { closeOpenPage } from "./open-page";
import { periodWork } from "./schedule";
import { findSubscription, lockSubscription, type Subscription } from "./lookup";
import { findUndecided } from "./store";
import type { Life } from "./world";

/**
 * Work of the job at the end of grace: who has not paid by then has access no more, whatever is
 * still undecided. The provider is asked a last time; what it decides later goes back
 * (`followPayment`).
 */
export async function endUnpaid(world: World, payload: unknown) {
  const { subscriptionUid, due } = periodWork.parse(payload);
  const subscription = await findSubscription(world.db, subscriptionUid);
  if (!subscription || !isDue(world, subscription, due)) return;
  await askLast(world, subscription);
  await inTransaction(world, async (life) => {
    const unpaid = await lockSubscription(life.db, subscriptionUid);
    if (!unpaid || !isDue(life, unpaid, due)) return;
    await endSubscription(life, unpaid, { at: new Date(unpaid.grace_until ?? due) });
  });
}

/** False once it is paid or ended, or where a later end was set. */
function isDue({ clock }: Pick<Life, "clock">, subscription: Subscription, due: string) {
  const { ended_at, expires_at, grace_until } = subscription;
  return (
    ended_at === null && expires_at === due && (grace_until ?? "") <= clock.now().toISOString()
  );
}

async function askLast(world: World, subscription: Subscription) {
  const undecided = await findUndecided(world.db, subscription);
  if (undecided?.kind === "first") await closeOpenPage(world, subscription.account_uid);
  else if (undecided) await askNow(world, undecided);
}
