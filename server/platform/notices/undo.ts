import type { z } from "zod/v4";
import { wasShown } from "../../../app/contract/offer";
import type { Undoing, UndoPreview, undoRequest } from "../../../app/contract/subscriptions";
import { invalid } from "../http/refusal";
import type { Debit } from "../mail/letters";
import { mailOwner } from "../subscriptions/letters";
import { scheduleAnnouncements } from "../subscriptions/schedule";
import { resumeRenewal, setStopTime } from "../subscriptions/stop";
import { findSubscription, lockSubscription, type Subscription } from "../subscriptions/lookup";
import { nextDebitOf, type NextDebit } from "../subscriptions/next-debit";
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
 * "This was not me": the subscription goes on as if the notice had not come. Of what strangers sent one
 * link takes back all of its kind: many notices cost their sender little, and the owner one click.
 * @throws Refusal 400 for a link that is unknown or too old; on `offer` where the card would be charged
 * at once and that was not shown
 */
export async function undoNotice(
  context: SubscriptionContext,
  kind: Notice["kind"],
  { token, offer: shown = "" }: z.infer<typeof undoRequest>,
): Promise<Undoing> {
  return inTransaction(context, async (context) => {
    const { status, offer } = await undo(context, kind, token);
    if (offer && !wasShown(shown, offer, context.calendar)) {
      throw invalid("offer", "The debit that follows at once is not the one that was shown");
    }
    return { status };
  });
}

/**
 * What undoing a notice would do: it is done and taken back, so that what is shown is what follows.
 * @throws Refusal 400 for a link that is unknown or too old
 */
export async function previewUndoing(
  context: SubscriptionContext,
  kind: Notice["kind"],
  secret: string,
): Promise<UndoPreview> {
  const rehearsal = inTransaction(context, async (context) => {
    throw new Rehearsed(await undo(context, kind, secret));
  });
  return rehearsal.catch((error: unknown) => {
    if (error instanceof Rehearsed) return error.preview;
    throw error;
  });
}

/** Ends a transaction without effect. */
class Rehearsed extends Error {
  constructor(readonly preview: UndoPreview) {
    super("Nothing was changed");
  }
}

async function undo(
  context: SubscriptionContext,
  kind: Notice["kind"],
  secret: string,
): Promise<UndoPreview> {
  const linked = await findBySecret(context.db, kind, secret);
  if (!linked?.subscription_uid) throw badLink();
  const subscription = await lockSubscription(context.db, linked.subscription_uid);
  // Read again: of several at once one undoes it.
  const notice = await findNotice(context.db, linked.uid);
  const now = context.clock.now().toISOString();
  if (!subscription || (notice.undo_until ?? "") <= now) throw badLink();
  if (notice.undone_at) return stateOf(subscription);
  if (subscription.withdrawn_at) return { status: "ended" };
  const group = await findNoticesToUndo(context, notice, subscription);
  const goesOn = await undoStop(context, group, subscription);
  for (const { uid } of group) await updateNotice(context.db, uid, { undone_at: now });
  await deleteUnsentAnswers(context, group);
  // What is over stays so; a withdrawal that is undone brings no money back, which is told.
  const isOnHold = subscription.ended_by_payment !== null;
  if (isOnHold || (!goesOn && kind === "cancellation")) return { status: "ended" };
  const left = (await findSubscription(context.db, subscription.uid)) ?? subscription;
  // What was to be announced while it was stopped, or was to be, is told after all.
  if (!left.cancelled_at && !left.ended_at) await scheduleAnnouncements(context, left);
  const next = await nextDebitOf(context, left);
  await mailUndone(context, notice, left, next);
  return { ...stateOf(left), ...next };
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
  subscription: Subscription,
  next: NextDebit,
) {
  await mailOwner(context, subscription, `undone:${uid}`, (site) => ({
    kind: `${kind}-undone` as const,
    site,
    date: context.clock.now().toISOString(),
    debit: debitOf(subscription, next),
  }));
}

function debitOf(
  { amount }: Subscription,
  { offer, nextDebit, payUntilDateTime: until }: NextDebit,
): Debit | null {
  if (offer) return { when: "now", amount, date: offer.nextDebit.date };
  if (nextDebit) return { when: "later", amount, date: nextDebit.date };
  return until === undefined ? null : { when: "by hand", amount, date: until };
}
