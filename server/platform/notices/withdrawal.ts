import type { z } from "zod/v4";
import type { withdrawing } from "../../../app/contract/subscriptions";
import { hashSecret, newSecret } from "../ports/ids";
import { links } from "../mail/links";
import { trustedSiteOf } from "../mail/site";
import { lockSubscription, type Subscription } from "../subscriptions/life/store";
import { withdraw } from "../subscriptions/life/withdrawal";
import type { Life } from "../subscriptions/life/world";
import { inTransaction, type World } from "../subscriptions/world";
import { findContract } from "./contract";
import { withdrawalDeadline } from "./deadline";
import { answer, answerStranger } from "./letters";
import { badLink, findBySecret, updateNotice, type Notice } from "./store";

const DAY_MS = 24 * 3_600_000;
const CONFIRM_DAYS = 30;

/**
 * Anybody may send a notice, and money moves: it takes effect at once for who is signed in to the
 * account, and otherwise once the link mailed to the contract's address is used (docs/decisions).
 */
export async function receiveWithdrawal(life: Life, notice: Notice, isOwn: boolean) {
  const contract = await findContract(life.db, notice);
  const subscription = contract && (await lockSubscription(life.db, contract.uid));
  if (!subscription) {
    return answerStranger(life, notice, (site, facts) => ({
      ...{ kind: "withdrawal-receipt", site, notice: facts, refunded: null },
    }));
  }
  if (withdrawalDeadline(new Date(subscription.started_at)) <= new Date(notice.received_at)) {
    return answer(life, notice, subscription, (site, facts) => ({
      ...{ kind: "withdrawal-receipt", site, notice: facts, refunded: null },
    }));
  }
  return isOwn
    ? takeEffect(life, notice, subscription)
    : askConfirmation(life, notice, subscription);
}

/**
 * Used however late: the day that counts is the one the notice came.
 * @throws Refusal 400 for a link that is unknown or too old
 */
export async function confirmWithdrawal(
  world: World,
  secret: string,
): Promise<z.infer<typeof withdrawing>> {
  return inTransaction(world, async (life) => {
    const notice = await findBySecret(life.db, "withdrawal", secret);
    const now = life.clock.now().toISOString();
    if (!notice?.subscription_uid || (notice.undo_until ?? "") <= now) throw badLink();
    const subscription = await lockSubscription(life.db, notice.subscription_uid);
    if (!subscription) throw badLink();
    await takeEffect(life, notice, subscription);
    return { status: "confirmed" };
  });
}

async function takeEffect(life: Life, notice: Notice, subscription: Subscription) {
  const refunded = await withdraw(life, subscription);
  await updateNotice(life.db, notice.uid, {
    subscription_uid: subscription.uid,
    confirmed_at: notice.confirmed_at ?? life.clock.now().toISOString(),
  });
  await answer(life, notice, subscription, (site, facts) => ({
    ...{ kind: "withdrawal-receipt", site, notice: facts, refunded },
  }));
}

async function askConfirmation(life: Life, notice: Notice, subscription: Subscription) {
  const trusted = await trustedSiteOf(life, subscription.origin, notice.origin);
  const secret = newSecret();
  const until = Date.parse(notice.received_at) + CONFIRM_DAYS * DAY_MS;
  const confirmUntil = new Date(until).toISOString();
  await updateNotice(life.db, notice.uid, {
    subscription_uid: subscription.uid,
    undo_hash: hashSecret(secret),
    undo_until: confirmUntil,
  });
  await answer(life, notice, subscription, (site, facts) => ({
    ...{ kind: "withdrawal-to-confirm", site, notice: facts, confirmUntil },
    confirmUrl: links.confirmWithdrawal(trusted, secret),
  }));
}
