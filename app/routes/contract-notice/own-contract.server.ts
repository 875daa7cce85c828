import { findPaymentsOf, isWithdrawn } from "~/api/contract-payments.server";
import { findDebitAfterEnd, findPaymentState } from "~/api/payment.server";
import { ownEmail } from "~/api/profile.server";
import { isUnknownCall } from "~/api/unknown-call";
import { FAILED, found, NONE, type ReadResult } from "~/api/read-result";
import { findSubscription } from "~/api/subscription.server";
import type { CancellationPreview } from "~/contract/notices";
import type { Subscription } from "~/contract/subscriptions";
import { wishedStop } from "~/contract/wished-stop";
import { translate } from "~/i18n/i18n.server";
import { refundAheadWords, refundMadeWords } from "~/i18n/refund-words.server";
import { restInstead } from "~/i18n/rest-words.server";
import {
  isOnHold,
  isRenewed,
  isUndecided,
  stopEffect,
  subscriptionWords,
  withdrawingWords,
  withoutWithdrawal,
  type LossWords,
  type SubscriptionState,
} from "~/i18n/subscription-words.server";
import type { KeptReceipt } from "~/session/data";
import type { Visit } from "~/session/visit.server";
import { formatAmount, formatDate, lastDayBefore } from "~/i18n/format";
import type { Notice } from "./form";
import type { KindName } from "./kinds";
import type { Right } from "./reply";

/**
 * What a notice changes of the credit, where it concerns the contract of the signed-in person: nobody else
 * is told about it. The debits before the wished day are made.
 */
export async function findLoss(
  visit: Visit,
  kind: KindName,
  notice: Notice,
): Promise<ReadResult<LossWords>> {
  const own = await visit.signedIn();
  if (own.kind !== "found") return own;
  const email = own.value.identifier;
  const read = await findSubscription(visit);
  if (read.kind !== "found") return isForOwner(notice, email) ? read : NONE;
  const subscription = read.value;
  const isOwn = await concerns(visit, kind, notice, { email, subscription });
  if (!isOwn || isPlanned(notice, subscription)) return NONE;
  if (await awaitsOrder(visit, notice, subscription)) return NONE;
  const { credit } = subscriptionWords(subscription);
  if (kind === "cancellation") return found(credit?.onStop ?? null);
  const isOpen = subscription.withdrawalEndedDateTime === undefined;
  return found(isOpen ? (credit?.onWithdrawal ?? null) : null);
}

/**
 * What the signed-in owner may do instead of cancelling, where their period was renewed without its notice. Whoever
 * is not signed in is told nothing: the page does not say whether there is a contract.
 */
export async function findInstead(
  visit: Visit,
  notice: Notice,
): Promise<ReadResult<string | null>> {
  const email = visit.session.claims()?.identifier;
  if (email === undefined) return NONE;
  const read = await findSubscription(visit);
  if (read.kind !== "found") return isForOwner(notice, email) ? read : NONE;
  const subscription = read.value;
  const isOwn = await concerns(visit, "cancellation", notice, { email, subscription });
  return isOwn ? found(restInstead(subscription)) : NONE;
}

/**
 * Until when the signed-in owner may withdraw instead of cancelling, in words, and get everything back; null when that
 * is over, or was done. Nobody else is told about their contract.
 */
export async function findRefund(visit: Visit, notice: Notice): Promise<ReadResult<string | null>> {
  const email = visit.session.claims()?.identifier;
  if (email === undefined) return NONE;
  const read = await findSubscription(visit);
  if (read.kind !== "found") return isForOwner(notice, email) ? read : NONE;
  const { withdrawableUntilDateTime: until, withdrawal } = read.value;
  if (!(await concerns(visit, "cancellation", notice, { email, subscription: read.value })))
    return NONE;
  if (!until || withdrawal) return found(null);
  return found(translate("subscription", "withdrawal.text", { date: lastDayBefore(until) }));
}

/** The right to withdraw from the visitor's own contract. Nobody else is told about it. */
export async function findRight(visit: Visit, notice: Notice): Promise<ReadResult<Right>> {
  const { email, reference } = notice;
  const own = visit.session.claims()?.identifier;
  if (!own || own.toLowerCase() !== email.toLowerCase()) return NONE;
  const read = await findSubscription(visit);
  if (read.kind !== "found") return read;
  const subscription = read.value;
  if (reference && reference !== subscription.reference) return NONE;
  if (await awaitsOrder(visit, notice, subscription)) return NONE;
  const { withdrawalEndedDateTime: ended } = subscription;
  const basis = basisWords(subscription);
  if (basis !== null) {
    const refund = refundAheadWords(await findPaymentsOf(visit, subscription));
    const isOver = subscription.endedDateTime !== null;
    const effect = isOver ? refund : `${translate("withdrawal", "recap.own.end")} ${refund}`;
    return found({ isOpen: true, basis, effect });
  }
  if (!ended) return NONE;
  return found({ isOpen: false, lastDay: lastDayBefore(ended), ...lateWords(subscription) });
}

/**
 * Why a declaration of its owner ends the contract: the period runs, or somebody declared a withdrawal in time, which
 * it confirms, however late (0011). Null if it does not.
 */
function basisWords({ withdrawal, withdrawableUntilDateTime: until }: Subscription): string | null {
  if (withdrawal) {
    const date = formatDate(withdrawal.receivedDateTime);
    return translate("withdrawal", "recap.own.declared", { date });
  }
  return until ? translate("withdrawal", "recap.own.until", { date: lastDayBefore(until) }) : null;
}

/** What becomes of a contract whose right to withdraw is over, and whether it can be cancelled. */
export function lateWords(subscription: Subscription) {
  const { cancelledDateTime, endedDateTime } = subscription;
  const words = (key: "goesOn" | "stopped" | "ended" | "onHold", values = {}) =>
    translate("debit", `late.${key}`, values);
  if (endedDateTime) {
    if (isOnHold(subscription)) return { effect: words("onHold"), isCancellable: true };
    return { effect: words("ended", { date: formatDate(endedDateTime) }), isCancellable: false };
  }
  if (!cancelledDateTime && isRenewed(subscription))
    return { effect: words("goesOn"), isCancellable: true };
  return { effect: words("stopped", { effect: stopEffect(subscription) }), isCancellable: false };
}

/**
 * When the own contract ends if this cancellation is sent, in words; none where it is not about the
 * contract of the signed-in person, and where the API does not tell.
 */
export async function findEnd(visit: Visit, notice: Notice): Promise<ReadResult<string>> {
  const own = visit.session.claims()?.identifier;
  if (own === undefined) return NONE;
  const outcome = await preview(visit, notice);
  if (outcome.ok) return endWords(outcome.value.payload, notice);
  const { error } = outcome;
  if (isUnknownCall("previewCancellation", error)) return overWords(visit, notice, own);
  return error.kind === "unauthorized" || !isForOwner(notice, own) ? NONE : FAILED;
}

/** What there is to say where a cancellation would change nothing: that the own contract is over. */
async function overWords(visit: Visit, notice: Notice, email: string): Promise<ReadResult<string>> {
  const read = await findSubscription(visit);
  if (read.kind !== "found") return isForOwner(notice, email) ? read : NONE;
  const subscription = read.value;
  const { endedDateTime } = subscription;
  if (endedDateTime === null || isOnHold(subscription)) return NONE;
  if (!isAbout(notice, { email, subscription })) return NONE;
  if (await awaitsOrder(visit, notice, subscription)) return NONE;
  return found(translate("cancellation", "recap.own.over", { date: formatDate(endedDateTime) }));
}

/** A cancellation for a later day leaves these as they are: nobody knows yet which end they lead to. */
const UNCERTAIN: readonly SubscriptionState[] = ["grace", "undecided", "delayed"];

/**
 * When a contract ends that is cancelled, in words; none where nobody knows yet.
 * @param notice its cancellation: one for a later day counts if what stops the contract already is undone
 */
export function endWords(
  { debitCount, ...subscription }: CancellationPreview,
  notice: Pick<Notice, "date">,
): ReadResult<string> {
  const stopped = withoutWithdrawal(subscription);
  const end = stoppedWords({ ...stopped, debitCount });
  // A contract on hold has ended already.
  if (end.kind !== "found" || subscription.endedDateTime !== null) return end;
  const resumed = isPlanned(notice, stopped) ? resumedWords(stopped) : [];
  const profile = translate("cancellation", "recap.own.profile");
  return found([end.value, ...resumed, ...withdrawingWords(subscription), profile].join(" "));
}

/** When a contract that goes on once its other stop is undone ends by this cancellation, in words. */
function resumedWords({ endIfUndoneDateTime: end, mayEndUnpaid }: Subscription): string[] {
  if (end === undefined) return [];
  const key = mayEndUnpaid ? "resumedIfPaid" : "resumed";
  return [translate("cancellation", `recap.own.${key}`, { date: formatDate(end) })];
}

function stoppedWords({
  debitCount: count,
  ...subscription
}: CancellationPreview): ReadResult<string> {
  const { state, until: date, ended } = subscriptionWords(subscription);
  // A contract on hold has ended, and only its account is left. One that is cancelled for a later day may go on
  // until that day.
  if (ended !== null && subscription.cancelledDateTime !== null)
    return found(translate("cancellation", "recap.own.ended", { date: ended }));
  if (state === "inProcess" && isUndecided(subscription)) return found(stopEffect(subscription));
  if (date === null || UNCERTAIN.includes(state)) return NONE;
  if (state !== "planned") return found(translate("cancellation", "recap.own.stopped", { date }));
  // Without a card nothing is debited.
  const debits = count > 0 && !subscription.cardMissing ? "renewed" : "paid";
  const amount = formatAmount(subscription.amount);
  return found(translate("cancellation", `recap.own.${debits}`, { date, count, amount }));
}

/** What a receipt tells the signed-in owner of the contract. Nobody else is told, not even that there is one. */
type OwnFacts = Pick<KeptReceipt, "accessEnd" | "debits" | "isWithdrawn" | "lateSince"> & {
  contract?: string;
};

/** What the notice that was just sent has done to the contract of its signed-in owner; nothing where nothing shows it. */
export async function findOwnFacts(
  visit: Visit,
  kind: KindName,
  notice: Notice,
): Promise<OwnFacts> {
  const email = await ownEmail(visit);
  if (!email) return {};
  const read = await findSubscription(visit);
  if (read.kind !== "found") return {};
  const subscription = read.value;
  if (!(await concerns(visit, kind, notice, { email, subscription }))) return {};
  if (await awaitsOrder(visit, notice, subscription)) return {};
  const { reference } = subscription;
  const contract = reference === undefined ? {} : { contract: reference };
  if (kind === "withdrawal") {
    const outcome = withdrawalOutcome(subscription);
    return outcome ? { ...contract, ...outcome } : {};
  }
  const { state, until } = subscriptionWords(withoutWithdrawal(subscription));
  // A debit that is under way may still pay for longer.
  if (until === null || UNCERTAIN.includes(state) || isUndecided(subscription)) return {};
  const debits = state === "planned" ? await countDebits(visit, notice) : 0;
  return { ...contract, accessEnd: until, ...(debits > 0 && { debits }) };
}

/** What a withdrawal by its owner has done to a contract; null where nothing shows it. */
function withdrawalOutcome(
  subscription: Subscription,
): Pick<OwnFacts, "isWithdrawn" | "lateSince"> | null {
  if (isWithdrawn(subscription)) return { isWithdrawn: true };
  const { withdrawal, withdrawalEndedDateTime: ended } = subscription;
  return ended && !withdrawal ? { lateSince: lastDayBefore(ended) } : null;
}

/** The preview of the same notice changes nothing, and counts. */
const countDebits = async (visit: Visit, notice: Notice): Promise<number> =>
  (await readPreview(visit, notice))?.debitCount ?? 0;

async function readPreview(visit: Visit, notice: Notice): Promise<CancellationPreview | null> {
  const outcome = await preview(visit, notice);
  return outcome.ok ? outcome.value.payload : null;
}

const askPreview = (visit: Visit, notice: Notice) =>
  visit.attempt("previewCancellation", { body: notice });

/** The previews of the notices that were posted: several parts of one page need the same. */
const previews = new WeakMap<Notice, ReturnType<typeof askPreview>>();

function preview(visit: Visit, notice: Notice) {
  const asked = previews.get(notice) ?? askPreview(visit, notice);
  previews.set(notice, asked);
  return asked;
}

/** What comes back of a contract that its signed-in owner has withdrawn from, in words; null: it could not be read. */
export async function refundOf(visit: Visit, subscription: Subscription | null): Promise<string> {
  return refundMadeWords(subscription && (await findPaymentsOf(visit, subscription)));
}

/** Whether a notice may concern the contract of the signed-in person, which could not be read. */
const isForOwner = ({ reference, email }: Notice, own: string) =>
  Boolean(reference) || email.toLowerCase() === own.toLowerCase();

/**
 * Whether a notice is about the own contract. A cancellation whose reference names no other that runs, as a mistyped
 * one, may be too (0011): its preview tells.
 */
async function concerns(visit: Visit, kind: KindName, notice: Notice, own: Own): Promise<boolean> {
  if (isAbout(notice, own)) return true;
  if (kind === "withdrawal" || !notice.reference) return false;
  const { reference } = own.subscription;
  return reference !== undefined && (await readPreview(visit, notice))?.reference === reference;
}

type Own = { email: string; subscription: Subscription };

function isAbout(notice: Notice, own: Own) {
  if (notice.reference) return notice.reference === own.subscription.reference;
  return notice.email.toLowerCase() === own.email.toLowerCase();
}

/**
 * Whether a notice that names no contract waits for the bank's decision on an order that came after the end of this
 * one: it is applied to the contract that begins (0011). What could not be read may be such an order.
 */
async function awaitsOrder(
  visit: Visit,
  { reference }: Notice,
  { endedDateTime }: Subscription,
): Promise<boolean> {
  if (reference || endedDateTime === null) return false;
  const payment = await findPaymentState(visit);
  if (!["pending", "unpaid", "failed"].includes(payment.kind)) return false;
  return (await findDebitAfterEnd(visit, payment)).kind !== "found";
}

function isPlanned({ date }: Pick<Notice, "date">, { expirationDateTime }: Subscription) {
  const paidUntil = new Date(expirationDateTime);
  return wishedStop(date, { paidUntil, receivedAt: new Date() }) !== null;
}
