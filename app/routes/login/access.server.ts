import { findWithdrawn, listsPayments } from "~/api/contract-payments.server";
import { findDebitAfterEnd, findPaymentState } from "~/api/payment.server";
import { findSubscription } from "~/api/subscription.server";
import type { Subscription } from "~/contract/subscriptions";
import { withdrawnWords } from "~/i18n/refund-words.server";
import { debitAfterEnd, endingWords } from "~/i18n/subscription-words.server";
import { undoableWords, type UndoableWords } from "~/i18n/undo-words.server";
import { withdrawableWords, type WithdrawableWords } from "~/i18n/withdrawal-words.server";
import type { Visit } from "~/session/visit.server";
import { formatDate } from "~/i18n/format";

/**
 * Why a signed-in account has no access.
 * - `opening`: paid, the access is being opened
 * - `pending`: the bank has not decided
 * - `ended`: the subscription is over
 * - `refused`: the last payment failed
 * - `late`: the last payment was accepted too late, and goes back; there is no contract
 * - `none`: there never was a payment
 * - `unread`: the reason could not be read
 */
export type NoAccess =
  | { kind: "opening" }
  | { kind: "pending" }
  | {
      kind: "ended";
      date: string;
      isLeaving: boolean;
      /** Words that say that the contract may go on by itself; null if it may not. */
      onHold: string | null;
      /** Words about a debit on which the bank still decides; null without one. */
      debit: string | null;
      /** Whether the last payment was accepted too late, and goes back. */
      isLate: boolean;
      /** Words about what comes back after a withdrawal; null without one. */
      refund: string | null;
      /** Whether the page of payments has something to show. */
      hasPayments: boolean;
      undoable: UndoableWords | null;
      /** Words about the right to withdraw, where it is still open. */
      withdrawable: WithdrawableWords | null;
    }
  | { kind: "refused" }
  | { kind: "late" }
  | { kind: "none" }
  | { kind: "unread"; text: string };

export async function findNoAccessReason(visit: Visit): Promise<NoAccess> {
  const payment = await findPaymentState(visit);
  const { kind } = payment;
  if (kind === "failed") return unread(visit);
  if (kind === "success") return { kind: "opening" };
  if (kind === "pending") {
    const debit = await findDebitAfterEnd(visit, payment);
    if (debit.kind === "failed") return unread(visit);
    const over =
      debit.kind === "found" &&
      (await endedAccess(visit, debit.value.subscription, { undecided: debit.value.amount }));
    return over || { kind };
  }
  const result = await findSubscription(visit);
  if (result.kind === "failed") return unread(visit);
  const isLate = kind === "late";
  const ended = result.kind === "found" ? await endedAccess(visit, result.value, { isLate }) : null;
  if (ended) return ended;
  if (isLate) return { kind };
  return { kind: kind === "failure" ? "refused" : "none" };
}

/** Checks with the API whether the session is still valid, so that an ended one shows no name. */
export async function whetherKnown(visit: Visit): Promise<NoAccess | null> {
  return (await visit.signedIn()).kind === "failed" ? unread(visit) : null;
}

/** Somebody whose session has just ended gets the form for signing in, which lacks nothing. */
function unread(visit: Visit): NoAccess {
  if (!visit.session.claims()) return { kind: "none" };
  return { kind: "unread", text: visit.markUnread(visit.t("login", "unread.text")) };
}

/** `undecided`: cents of a debit on which the bank decides. */
async function endedAccess(
  visit: Visit,
  subscription: Subscription,
  { undecided = null, isLate = false }: { undecided?: number | null; isLate?: boolean },
): Promise<NoAccess | null> {
  const { endedDateTime, cancelledDateTime } = subscription;
  if (!endedDateTime) return null;
  const ending = endingWords(subscription);
  return {
    kind: "ended",
    date: formatDate(endedDateTime),
    isLeaving: cancelledDateTime !== null,
    onHold: ending.isOnHold ? ending.text : null,
    debit: undecided === null ? null : debitAfterEnd(undecided, subscription),
    isLate,
    refund: withdrawnWords(await findWithdrawn(visit, subscription)),
    hasPayments: await listsPayments(visit),
    undoable: undoableWords(subscription),
    withdrawable: withdrawableWords(subscription),
  };
}
