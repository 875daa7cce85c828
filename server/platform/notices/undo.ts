import type { z } from "zod/v4";
import type { undeclaring, Undoing, UndoPreview, undoRequest } from "../../../app/contract/notices";
import type { Offer } from "../../../app/contract/subscriptions";
import { lockAccount } from "../database/account-lock";
import type { Database } from "../database/tables";
import { invalid, notFound } from "../http/refusal";
import type { Principal } from "../http/types";
import { limit } from "../limits/limit";
import { NOTICE_PREVIEWS } from "../limits/rules";
import type { NamedNotices } from "../mail/letters";
import { sendMail } from "../mail/outbox";
import { findSite } from "../mail/site";
import { scheduleAnnouncements } from "../subscriptions/schedule";
import { readStoppedCredit } from "../subscriptions/credits";
import { resumeRenewal, setStopTime } from "../subscriptions/stop";
import { isOnHold } from "../subscriptions/lookup";
import {
  findSubscription,
  lockSubscription,
  type SubscriptionRow,
} from "../database/subscription-row";
import { findNewestSubscription } from "../subscriptions/subscription";
import { forgetPassedTerms } from "../subscriptions/terms-change";
import { debitOf, nextDebitOf } from "../subscriptions/next-debit";
import { findHeldEnd } from "../subscriptions/written-end";
import { rehearse } from "../database/rehearsal";
import { inTransaction } from "../database/transaction";
import { plannedEndBy } from "./announced-changes";
import { isStopOf, stopByNotice } from "./cancellation";
import { countsFrom } from "./contract";
import { takePlace } from "./cover";
import { deleteUnsentAnswers, findRecipient } from "./letters";
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
import { askConfirmation } from "./withdrawal";
import type { SubscriptionContext } from "../subscriptions/context";

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

/**
 * Returns what the signed-in owner's undoing would do; nothing is changed.
 * @throws Refusal 429; 404 where there is nothing to undo
 */
export async function previewUndoingUnsigned(
  context: SubscriptionContext,
  principal: Principal,
): Promise<UndoPreview> {
  await limit(context.db, context.clock, NOTICE_PREVIEWS, principal.uid);
  return rehearse(context, (context) => undoUnsigned(context, principal));
}

/**
 * Returns the effect of undoing a notice. It is computed by undoing in a transaction that is rolled back,
 * so that preview and effect cannot differ. Of a link without effect it tells what became of its notice.
 * @throws Refusal 429; 400 for an unknown link
 */
export async function previewUndoing(
  context: SubscriptionContext,
  kind: Notice["kind"],
  secret: string,
): Promise<UndoPreview> {
  const notice = await findBySecret(context.db, kind, secret);
  if (!notice?.subscription_uid) throw badLink();
  const subscription = await findSubscription(context.db, notice.subscription_uid);
  if (!subscription) throw badLink();
  const closed = await findClosed(context, notice, subscription);
  if (closed) return closed;
  await limit(context.db, context.clock, NOTICE_PREVIEWS, subscription.uid);
  const refundDateTime = kind === "withdrawal" && (await findRefundTime(context, subscription));
  const preview = await rehearse(context, (context) => undo(context, kind, secret));
  return { ...preview, ...(refundDateTime && { refundDateTime }) };
}

/** When the first open withdrawal of a contract is refunded, unless it is undone. */
async function findRefundTime(
  { db, clock }: SubscriptionContext,
  { uid }: SubscriptionRow,
): Promise<string | null> {
  const open = await findOpenNotices(db, uid, clock.now());
  const [first] = open
    .flatMap(({ kind, undo_until }) => (kind === "withdrawal" && undo_until ? [undo_until] : []))
    .sort();
  return first ?? null;
}

/** What became of a notice whose link has no effect any more; null while it has. */
async function findClosed(
  context: SubscriptionContext,
  notice: Notice,
  subscription: SubscriptionRow,
): Promise<UndoPreview | null> {
  const closed = closedAs(notice, subscription, context.clock.now());
  if (!closed) return null;
  const isWithdrawn = closed === "withdrawn";
  const state = isWithdrawn ? ENDED : await stateOf(context, notice.kind, subscription);
  return {
    ...state,
    closed,
    ...((await isAccountDeleted(context.db, subscription)) && { accountDeleted: true }),
  };
}

function closedAs(notice: Notice, subscription: SubscriptionRow, now: Date): UndoPreview["closed"] {
  if (subscription.withdrawn_at || notice.settled_at) return "withdrawn";
  if (notice.undone_at) return "undone";
  return (notice.undo_until ?? "") <= now.toISOString() ? "expired" : undefined;
}

async function isAccountDeleted(db: Database, { account_uid }: SubscriptionRow) {
  const account = await db
    .selectFrom("account")
    .select("uid")
    .where("uid", "=", account_uid)
    .where("status", "!=", "deleted")
    .executeTakeFirst();
  return account === undefined;
}

async function undo(
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

async function undoUnsigned(
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

const ENDED = { status: "ended" } as const;

type State = Pick<UndoPreview, "status" | "holdUntilDateTime" | "renewalAmount">;

/** What has become of the contract. While it is on hold it may still go on, and be charged then. */
async function stateOf(
  context: SubscriptionContext,
  kind: Notice["kind"],
  subscription: SubscriptionRow,
): Promise<State> {
  if (!(await mayResume(context, subscription))) {
    return { status: await statusOf(context, kind, subscription) };
  }
  const { until, renewal } = await holdOf(context, subscription);
  return renewal === null
    ? { status: "stopped" }
    : { status: "onHold", holdUntilDateTime: until, renewalAmount: renewal };
}

/**
 * The status after undoing; the contract may have been stopped for another reason, or be over. A contract
 * that is over stays stopped by another notice as long as undoing that one could open it again.
 */
async function statusOf(
  { db, clock }: SubscriptionContext,
  kind: Notice["kind"],
  subscription: SubscriptionRow,
): Promise<Undoing["status"]> {
  const { uid, ended_at, ended_by_payment, cancelled_at } = subscription;
  if (kind === "cancellation" && ended_by_payment !== null) return "ended";
  if (!ended_at) return cancelled_at ? "stopped" : "undone";
  if (kind === "withdrawal") return "over";
  const open = await findOpenNotices(db, uid, clock.now());
  return open.some(({ stops_at }) => isStopOf(subscription, stops_at)) ? "stopped" : "ended";
}

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

/** The end that another notice plans for a contract that goes on. */
async function plannedEndOf(
  { db, clock, calendar }: SubscriptionContext,
  subscription: SubscriptionRow,
) {
  const open = await findOpenNotices(db, subscription.uid, clock.now());
  const end = plannedEndBy(open, subscription, calendar);
  return end && { plannedEndDateTime: end };
}

/** The end that the undone notices had planned for a contract that was not stopped yet. */
function liftedEndOf(
  { calendar }: SubscriptionContext,
  undone: readonly Notice[],
  before: SubscriptionRow,
) {
  const end = plannedEndBy(undone, before, calendar);
  return end && { liftedEndDateTime: end };
}

/** The credit that the stop had lost, and that the contract may earn again. */
async function creditOf(context: SubscriptionContext, subscription: SubscriptionRow) {
  const credit = await readStoppedCredit(context, subscription);
  return credit?.isLost && { creditAmount: credit.amount };
}

async function mailUndone(
  context: SubscriptionContext,
  {
    kind,
    notices,
    undone,
  }: { kind: Notice["kind"]; notices: readonly Notice[]; undone: NamedNotices },
  subscription: SubscriptionRow,
  { status, plannedEndDateTime, creditAmount, undecidedAmount, ...next }: UndoPreview,
) {
  const { db, clock } = context;
  const last = notices.at(-1);
  const to = last && (await findRecipient(context, last, subscription));
  if (!to) return;
  await sendMail(db, clock, {
    key: `undone:${last.uid}`,
    to,
    contract: subscription.uid,
    letter: {
      kind: `${kind}-undone` as const,
      site: await findSite(context, subscription.origin),
      date: clock.now().toISOString(),
      undone,
      contract: { reference: subscription.uid, orderedAt: subscription.started_at },
      debit: debitOf(subscription, { ...next, undecidedAmount }),
      undecidedDebit: undecidedAmount ?? null,
      plannedEnd: plannedEndDateTime ?? null,
      creditAmount: creditAmount ?? null,
      isOver: status === "over" || status === "ended",
      onHold: (await mayResume(context, subscription)) ? await holdOf(context, subscription) : null,
    },
  });
}

/** Whether the money of a contract on hold may open it again: its person has not written to end it meanwhile. */
async function mayResume({ db, clock }: SubscriptionContext, subscription: SubscriptionRow) {
  if (!isOnHold(subscription, clock.now())) return false;
  return (await findHeldEnd(db, subscription.uid)) === null;
}

/** A contract on hold is renewed if its money returns in time, unless another notice stops it by then. */
async function holdOf({ db, clock, calendar }: SubscriptionContext, subscription: SubscriptionRow) {
  const { uid, amount, expires_at, cancelled_at } = subscription;
  const open = await findOpenNotices(db, uid, clock.now());
  const planned = plannedEndBy(open, { ...subscription, ended_at: null }, calendar);
  const isStopped = cancelled_at !== null || (planned !== undefined && planned <= expires_at);
  return { until: expires_at, renewal: isStopped ? null : amount };
}
