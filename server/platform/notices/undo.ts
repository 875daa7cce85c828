import type { Undoing } from "../../../app/contract/subscriptions";
import { mailOwner } from "../subscriptions/letters";
import { resumeRenewal, setStopTime } from "../subscriptions/stop";
import { findSubscription, lockSubscription, type Subscription } from "../subscriptions/lookup";
import { inTransaction } from "../database/transaction";
import { isStopOf } from "./cancellation";
import { deleteUnsentAnswers } from "./letters";
import {
  badLink,
  findBySecret,
  findNotice,
  findOpenNotices,
  updateNotice,
  type Notice,
} from "./store";
import type { SubscriptionContext } from "../subscriptions/context";

/**
 * Undoes a notice ("this was not me"): the subscription goes on as before. One link undoes all open
 * notices of its kind that came without sign-in, so that an attacker's many notices cost the owner
 * one click.
 * @throws Refusal 400 for an unknown or expired link
 */
export async function undoNotice(
  context: SubscriptionContext,
  kind: Notice["kind"],
  secret: string,
): Promise<Undoing> {
  return inTransaction(context, async (context) => {
    const linked = await findBySecret(context.db, kind, secret);
    if (!linked?.subscription_uid) throw badLink();
    const subscription = await lockSubscription(context.db, linked.subscription_uid);
    // Read again under the lock: of concurrent calls only one undoes it.
    const notice = await findNotice(context.db, linked.uid);
    const now = context.clock.now().toISOString();
    if (!subscription || (notice.undo_until ?? "") <= now) throw badLink();
    if (notice.undone_at) return stateOf(subscription);
    if (subscription.withdrawn_at) return { status: "ended" };
    const group = await findNoticesToUndo(context, notice, subscription);
    const goesOn = await undoStop(context, group, subscription);
    for (const { uid } of group) await updateNotice(context.db, uid, { undone_at: now });
    await deleteUnsentAnswers(context, group);
    // An ended contract stays ended. Undoing a withdrawal is mailed also then: no refund will follow.
    const isOnHold = subscription.ended_by_payment !== null;
    if (isOnHold || (!goesOn && kind === "cancellation")) return { status: "ended" };
    await mailUndone(context, notice, subscription, now);
    return stateOf((await findSubscription(context.db, subscription.uid)) ?? subscription);
  });
}

/** The state after undoing; the contract may have been stopped for another reason. */
function stateOf({ ended_at, cancelled_at }: Subscription): Undoing {
  if (ended_at) return { status: "ended" };
  return { status: cancelled_at ? "stopped" : "undone" };
}

/** Finds the notices to undo together: only this one when its owner sent it while signed in. */
async function findNoticesToUndo(
  context: SubscriptionContext,
  notice: Notice,
  { uid, account_uid }: Subscription,
) {
  const owner = context.subjects.all("notice", `account ${account_uid}`);
  const isByOwner = ({ sender_key }: Notice) => owner.includes(sender_key ?? "");
  if (isByOwner(notice)) return [notice];
  const open = await findOpenNotices(context.db, uid, context.clock.now());
  const others = open.filter((other) => other.uid !== notice.uid && other.kind === notice.kind);
  return [notice, ...others.filter((other) => !isByOwner(other))];
}

/** Undoes the stop of these notices, unless another notice requires it; false when it is too late. */
async function undoStop(
  context: SubscriptionContext,
  group: Notice[],
  subscription: Subscription,
): Promise<boolean> {
  if (!group.some(({ stops_at }) => isStopOf(subscription, stops_at))) {
    return subscription.ended_at === null;
  }
  const now = context.clock.now();
  const taken = new Set(group.map(({ uid }) => uid));
  const others = (await findOpenNotices(context.db, subscription.uid, now)).filter(
    ({ uid, stops_at }) => !taken.has(uid) && stops_at && stops_at <= now.toISOString(),
  );
  const [other] = others;
  if (!other) return resumeRenewal(context, subscription);
  await setStopTime(context, subscription, other.stops_at);
  return subscription.ended_at === null;
}

async function mailUndone(
  context: SubscriptionContext,
  { uid, kind }: Notice,
  { uid: subject }: Subscription,
  now: string,
) {
  const subscription = await findSubscription(context.db, subject);
  if (!subscription) return;
  const isStopped = subscription.cancelled_at !== null || subscription.ended_at !== null;
  await mailOwner(context, subscription, `undone:${uid}`, (site) => ({
    kind: `${kind}-undone` as const,
    site,
    date: now,
    isStopped,
  }));
}
