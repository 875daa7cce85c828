import type { z } from "zod/v4";
import type { undoing } from "../../../app/contract/subscriptions";
import { hashSecret, newSecret } from "../ports/ids";
import { resumeRenewal, stopRenewal } from "../subscriptions/life/stop";
import { write } from "../subscriptions/life/letters";
import { links } from "../mail/links";
import { trustedSiteOf } from "../mail/site";
import { lockSubscription, type Subscription } from "../subscriptions/life/store";
import type { Life } from "../subscriptions/life/world";
import { inTransaction, type World } from "../subscriptions/world";
import { findContract } from "./contract";
import { answer, answerStranger } from "./letters";
import { badLink, findBySecret, updateNotice, type Notice } from "./store";

const DAY_MS = 24 * 3_600_000;
const UNDO_DAYS = 7;

/** Stops the renewal as the account page does, as of the moment the notice came. */
export async function cancel(life: Life, notice: Notice) {
  const contract = await findContract(life.db, notice);
  const subscription = contract && (await lockSubscription(life.db, contract.uid));
  const nothing = { endsAt: null, undoUrl: null, undoUntil: null };
  if (!subscription || subscription.ended_at) {
    return answerStranger(life, notice, (site, facts) => ({
      ...{ kind: "cancellation-receipt", site, notice: facts, ...nothing },
    }));
  }
  if (subscription.cancelled_at) {
    const endsAt = subscription.expires_at;
    return answer(life, notice, subscription, (site, facts) => ({
      ...{ kind: "cancellation-receipt", site, notice: facts, ...nothing, endsAt },
    }));
  }
  await stop(life, notice, subscription);
}

async function stop(life: Life, notice: Notice, subscription: Subscription) {
  const trusted = await trustedSiteOf(life, subscription.origin, notice.origin);
  const receivedAt = new Date(notice.received_at);
  const { endsAt } = await stopRenewal(life, subscription, receivedAt);
  const secret = newSecret();
  const undoUntil = new Date(receivedAt.getTime() + UNDO_DAYS * DAY_MS).toISOString();
  await updateNotice(life.db, notice.uid, {
    subscription_uid: subscription.uid,
    undo_hash: hashSecret(secret),
    undo_until: undoUntil,
  });
  await answer(life, notice, subscription, (site, facts) => ({
    ...{ kind: "cancellation-receipt", site, notice: facts, endsAt, undoUntil },
    undoUrl: links.undoCancellation(trusted, secret),
  }));
}

/**
 * "This was not me": the subscription goes on as if the notice had not come.
 * @throws Refusal 400 for a link that is unknown or too old
 */
export async function undoCancellation(
  world: World,
  secret: string,
): Promise<z.infer<typeof undoing>> {
  return inTransaction(world, async (life) => {
    const notice = await findBySecret(life.db, "cancellation", secret);
    const now = life.clock.now().toISOString();
    if (!notice?.subscription_uid || (notice.undo_until ?? "") <= now) throw badLink();
    const subscription = await lockSubscription(life.db, notice.subscription_uid);
    if (!subscription) throw badLink();
    if (subscription.cancelled_at === notice.received_at && !subscription.withdrawn_at) {
      const resumed = await resumeRenewal(life, subscription);
      if (!resumed) return { status: "ended" };
      await updateNotice(life.db, notice.uid, { undone_at: now });
      await write(life, subscription, `undone:${notice.uid}`, (site) => ({
        ...{ kind: "cancellation-undone", site, date: now },
      }));
      return { status: "undone" };
    }
    return { status: subscription.ended_at ? "ended" : "undone" };
  });
}
