import type { z } from "zod/v4";
import type { undeclaring, Undoing, UndoPreview, undoRequest } from "../../../app/contract/notices";
import type { Offer } from "../../../app/contract/subscriptions";
import { lockAccount } from "../database/account-lock";
import type { Database } from "../database/tables";
import { invalid, notFound } from "../http/refusal";
import type { Principal } from "../http/types";
import type { NamedNotices } from "../mail/letters";
import { scheduleAnnouncements } from "../subscriptions/schedule";
import { readStoppedCredit } from "../subscriptions/credit-prospects";
import { resumeRenewal, setStopTime } from "../subscriptions/stop";
import {
  findSubscription,
  lockSubscription,
  type SubscriptionRow,
} from "../database/subscription-row";
import { findNewestSubscription } from "../subscriptions/subscription";
import { forgetPassedTerms } from "../subscriptions/terms-change";
import { nextDebitOf } from "../subscriptions/next-debit";
import { inTransaction } from "../database/transaction";
import { isStopOf, stopByNotice } from "./cancellation";
import { countsFrom } from "./contract";
import { takePlace } from "./cover";
import { deleteUnsentAnswers } from "./letters";
import { releaseMailTimes } from "./mail-time";
import {
  badLink,
  findBySecret,
  findNotice,
  findOpenNotices,
  findStops,
  readNamed,
  updateNotice,
  type Notice,
} from "./store";
import { isOwnNotice } from "../subscriptions/unsigned-stop";
import { askConfirmation } from "./withdrawal-link";
import type { SubscriptionContext } from "../subscriptions/context";
import { stateOf, plannedEndOf, liftedEndOf } from "./state-after-undo";
import { mailUndone } from "./undo-letter";

/**
 * "This was not me": the subscription goes on as if the notice had not come, unless another one stops
 * it. Each link takes back its own notice: of two, one may be the owner's.
 * @throws Refusal 400 for a link that is unknown or too old; on `offer` where the card would be charged
 * at once and that was not shown
 */
export async function undoNotice(
  context: SubscriptionContext,
  kind: Notice["kind"],
  { token, offer: shown = "" }: z.infer<typeof undoRequest>,
): Promise<Undoing> {
  return inTransaction(context, async (context) => {
    return answerOf(await undo(context, kind, token), shown);
  });
}

/** @throws Refusal 400 where the undoing charges at once what was not shown; nothing is undone then */
function answerOf(
  { status, offer, plannedEndDateTime, payUntilDateTime, ...hold }: UndoPreview,
  shown: string,
): Undoing {
  if (offer) refuseUnshown(shown, offer);
  const { holdUntilDateTime, renewalAmount } = hold;
  return {
    status,
    ...(shown && { isCharged: offer !== undefined }),
    ...(plannedEndDateTime && { plannedEndDateTime }),
    ...(payUntilDateTime && { payUntilDateTime }),
    ...(holdUntilDateTime && { holdUntilDateTime }),
    ...(renewalAmount && { renewalAmount }),
  };
}

/** Yesterday's offer does not count: the period begins with the press (docs/decisions/0027). */
function refuseUnshown(shown: string, offer: Offer) {
  if (shown === offer.statement) return;
  throw invalid("offer", "The debit that follows at once is not the one that was shown");
}

/**
 * The signed-in owner takes back, at once, what was declared without signing in for their newest
 * contract: its mails may still be on their way.
 * @throws Refusal 404 where there is nothing to undo; 400 on `offer` where the card would be charged at
 * once and that was not shown
 */
export async function undoUnsignedNotices(
  context: SubscriptionContext,
  principal: Principal,
  { offer: shown = "" }: z.infer<typeof undeclaring>,
): Promise<Undoing> {
  return inTransaction(context, async (context) => {
    return answerOf(await undoUnsigned(context, principal), shown);
  });
}

export async function undo(
  context: SubscriptionContext,
  kind: Notice["kind"],
  secret: string,
): Promise<UndoPreview> {
  const linked = await findBySecret(context.db, kind, secret);
  if (!linked?.subscription_uid) throw badLink();
  const subscription = await lockSubscription(context.db, linked.subscription_uid);
  // The notice is read again under the lock: only one of several simultaneous calls undoes it.
  const notice = await findNotice(context.db, linked.uid);
  const now = context.clock.now().toISOString();
  if (!subscription || (notice.undo_until ?? "") <= now) throw badLink();
  // Another declaration may have followed the one that was undone, and brought the money back.
  if (subscription.withdrawn_at) return { status: "ended" };
  if (notice.undone_at) return repeatOf(context, notice, subscription);
  await openCovered(context, notice, subscription);
  return undoTogether(context, subscription, [notice]);
}

/** What undoing once more tells: nothing is charged by it, so only what is left to pay and a planned end are named again. */
async function repeatOf(
  context: SubscriptionContext,
  { kind }: Notice,
  subscription: SubscriptionRow,
): Promise<UndoPreview> {
  const state = await stateOf(context, kind, subscription);
  const { payUntilDateTime } = await nextDebitOf(context, subscription);
  return {
    ...state,
    ...(payUntilDateTime && { payUntilDateTime }),
    ...(await plannedEndOf(context, subscription)),
  };
}

export async function undoUnsigned(
  context: SubscriptionContext,
  { uid: accountUid }: Principal,
): Promise<UndoPreview> {
  await lockAccount(context.db, accountUid);
  const now = context.clock.now();
  const newest = await findNewestSubscription(context.db, accountUid, now);
  const subscription = newest && (await findSubscription(context.db, newest.uid));
  // Nothing brings back a contract that its owner has withdrawn from.
  const isOver = !subscription || subscription.withdrawn_at !== null;
  const open = isOver ? [] : await findOpenNotices(context.db, subscription.uid, now);
  const unsigned = open.filter((notice) => !isOwnNotice(context, notice, accountUid));
  if (!subscription || unsigned.length === 0) throw notFound("Nothing to undo");
  return undoTogether(context, subscription, unsigned);
}

/** A notice that this one covered takes effect by itself, before this one is undone. */
async function openCovered(
  context: SubscriptionContext,
  notice: Notice,
  subscription: SubscriptionRow,
) {
  const next = await takePlace(context, notice);
  if (!next) return;
  const found = { subscription, hasOthers: false };
  const stops = await findStops(context.db, subscription.uid, context.clock.now());
  const isStopped = stops.some(({ uid }) => uid !== notice.uid);
  await (next.kind === "cancellation"
    ? stopByNotice(context, next, found, { isOwner: false, isStopped })
    : askConfirmation(context, next, found, { isStopped }));
}

/** Undoes open notices of one contract in a few queries, however many they are, with one mail. */
async function undoTogether(
  context: SubscriptionContext,
  subscription: SubscriptionRow,
  notices: readonly Notice[],
): Promise<UndoPreview> {
  if (subscription.withdrawn_at) return { status: "ended" };
  const { db, clock } = context;
  const now = clock.now().toISOString();
  const uids = notices.map(({ uid }) => uid);
  const wasStopped = notices.some(({ stops_at }) => isStopOf(subscription, stops_at));
  await forgetPassedTerms(context, subscription);
  if (wasStopped) await undoStop(context, notices, subscription);
  const undone = await findWithRepetitions(db, uids);
  await deleteUnsentAnswers(context, notices);
  await releaseMailTimes(db, uids);
  await db
    .updateTable("contract_notice")
    .set({ undone_at: now })
    .where("undone_at", "is", null)
    .where((e) => e.or([e("uid", "in", uids), e("repeats_uid", "in", uids)]))
    .execute();
  const left = (await findSubscription(db, subscription.uid)) ?? subscription;
  const isWithdrawal = notices.some(({ kind }) => kind === "withdrawal");
  const kind = isWithdrawal ? "withdrawal" : "cancellation";
  const state = await stateOf(context, kind, left);
  const { status } = state;
  // Announcements that were omitted because of the stop are scheduled after all.
  if (status === "undone") await scheduleAnnouncements(context, left);
  const outcome = {
    ...state,
    ...(await nextDebitOf(context, left)),
    ...(await plannedEndOf(context, left)),
    ...(status === "undone" && liftedEndOf(context, notices, subscription)),
    ...(status === "undone" && wasStopped && (await creditOf(context, left))),
  };
  await mailUndone(context, { kind, notices, undone }, left, outcome);
  if (status !== "ended") return outcome;
  const { undecidedAmount } = outcome;
  return { status, ...(undecidedAmount && { undecidedAmount }) };
}

/** Reads the notices that are undone, with those that repeat them or that they cover. */
const findWithRepetitions = (db: Database, uids: readonly string[]): Promise<NamedNotices> =>
  readNamed(
    db
      .selectFrom("contract_notice")
      .where("undone_at", "is", null)
      .where((e) => e.or([e("uid", "in", uids), e("repeats_uid", "in", uids)])),
  );

/**
 * Undoes the stop by one of these notices, unless another open notice also stops the contract. An open withdrawal
 * always does, even of a contract that had ended, so that its sender is not charged. Undoing that withdrawal later
 * has the effect that this undoing would have had.
 */
async function undoStop(
  context: SubscriptionContext,
  notices: readonly Notice[],
  subscription: SubscriptionRow,
) {
  const { db, clock } = context;
  const undone = new Set(notices.map(({ uid }) => uid));
  const stops = await findStops(db, subscription.uid, clock.now());
  const other = stops.find(({ uid }) => !undone.has(uid));
  if (!other) {
    await resumeRenewal(context, subscription);
    return;
  }
  const stopsAt = other.stops_at ?? countsFrom(other, subscription);
  if (other.stops_at === null) await updateNotice(db, other.uid, { stops_at: stopsAt });
  await setStopTime(context, subscription, stopsAt);
}

/** The credit that the stop had lost, and that the contract may earn again. */
async function creditOf(context: SubscriptionContext, subscription: SubscriptionRow) {
  const credit = await readStoppedCredit(context, subscription);
  return credit?.isLost && { creditAmount: credit.amount };
}
