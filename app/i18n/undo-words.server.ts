import type { Undoing, UndoPreview } from "~/contract/notices";
import type { Offer, Subscription } from "~/contract/subscriptions";
import { formatAmount, formatDate, formatDateTime } from "./format";
import { translate } from "./i18n.server";

/** What was declared without signing in and its owner can take back, in sentences. */
export type UndoableWords = { declared: string[]; how: string; keep: string; open: string };

/** Null where nothing can be taken back. */
export function undoableWords(subscription: Subscription): UndoableWords | null {
  if (!subscription.hasUnsignedNotice) return null;
  return {
    declared: declaredSentences(subscription),
    how: translate("subscription", "unsigned.how"),
    keep: translate("subscription", "unsigned.keep"),
    open: translate("subscription", "unsigned.open"),
  };
}

/** One sentence for each kind: undoing takes back both. */
function declaredSentences({ cancellation, withdrawal }: Subscription): string[] {
  const sentence = (kind: "cancellation" | "withdrawal", receivedAt: string, until: string) =>
    translate("subscription", `unsigned.${kind}`, {
      received: formatDate(receivedAt),
      until: formatDateTime(until),
    });
  const declared = [
    ...(cancellation
      ? [sentence("cancellation", cancellation.receivedDateTime, cancellation.undoDateTime)]
      : []),
    ...(withdrawal
      ? [sentence("withdrawal", withdrawal.receivedDateTime, withdrawal.refundDateTime)]
      : []),
  ];
  return declared.length > 0 ? declared : [translate("subscription", "unsigned.other")];
}

/** Whether undoing has charged the card. Where the API does not tell, what the form showed counts. */
export const isCharged = (undoing: Undoing, shownOffer: string | undefined): boolean =>
  undoing.isCharged ?? shownOffer !== undefined;

/** What undoing a notice would do, with the debit that follows. */
export function undoEffect(preview: UndoPreview): string {
  const { plannedEndDateTime: end, creditAmount } = preview;
  const planned = end && translate("links", "effect.planned", { date: formatDate(end) });
  const credit =
    creditAmount && translate("links", "effect.credit", { amount: formatAmount(creditAmount) });
  return [debitEffectOf(preview), leftAtBank(preview), planned, credit].filter(Boolean).join(" ");
}

/** A debit that the bank decides on, of a contract that does not go on. */
function leftAtBank({ status, undecidedAmount }: UndoPreview): string | undefined {
  if (undecidedAmount === undefined || status === "undone") return undefined;
  const key = status === "stopped" ? "effect.undecidedStopped" : "effect.undecidedOver";
  return translate("links", key, { amount: formatAmount(undecidedAmount) });
}

function debitEffectOf(preview: UndoPreview): string {
  const { status, offer, nextDebit, undecidedAmount, isUndecidedOwn } = preview;
  const { payUntilDateTime, liftedEndDateTime: end } = preview;
  if (status === "onHold") return translate("links", "effect.onHold", holdWords(preview));
  if (status !== "undone") return translate("links", `effect.${status}`);
  if (undecidedAmount !== undefined) {
    const key = isUndecidedOwn ? "effect.undecidedOwn" : "effect.undecided";
    return translate("links", key, { amount: formatAmount(undecidedAmount) });
  }
  if (offer) return chargedNow(offer);
  if (nextDebit && end) {
    // A debit before the planned end is made whether the notice is undone or not.
    const isAnyway = Date.parse(nextDebit.date) < Date.parse(end);
    const words = { ...debitWords(nextDebit), end: formatDate(end) };
    return translate("links", isAnyway ? "effect.liftedLater" : "effect.lifted", words);
  }
  if (nextDebit) return translate("links", "effect.later", debitWords(nextDebit));
  if (payUntilDateTime !== undefined) {
    return translate("links", "effect.byHand", { date: formatDate(payUntilDateTime) });
  }
  return translate("links", preview.plannedEndDateTime ? "effect.goesOnUntil" : "effect.goesOn");
}

/** Null stands for no debit after it, because the contract ends with the period that it pays. */
function chargedNow({ amountNow, nextDebit }: Offer): string {
  if (nextDebit) return translate("links", "effect.now", debitWords(nextDebit));
  return translate("links", "effect.once", { amount: formatAmount(amountNow) });
}

const debitWords = ({ amount, date }: { amount: number; date: string }) => ({
  amount: formatAmount(amount),
  date: formatDate(date),
});

const holdWords = ({ renewalAmount = 0, holdUntilDateTime = "" }: UndoPreview) => ({
  amount: formatAmount(renewalAmount),
  date: formatDate(holdUntilDateTime),
});
