import {
  waitsForWithdrawal,
  type Credit,
  type DueReason,
  type Formula,
  type Subscription,
} from "~/contract/subscriptions";
import { formatAmount, formatDate, formatDateTime, lastDayBefore } from "./format";
import { translate } from "./i18n.server";
import { creditDay, creditWords, periodWords } from "./order-words.server";
import { undoableWords, type UndoableWords } from "./undo-words.server";

/**
 * `grace`: a renewal was declined; access continues for some days and another card may pay. `undecided`: a
 * debit is under way, and may succeed or be declined. `delayed`: the bank could not be asked for the debit yet.
 * `planned`: a notice ends the contract on a later day. `inProcess`: the renewal was stopped. `withdrawn`: a
 * withdrawal was received and can still be undone.
 */
export type SubscriptionState =
  "active" | "grace" | "undecided" | "delayed" | "planned" | "inProcess" | "withdrawn" | "ended";

/** The texts of a subscription. */
export type SubscriptionWords = {
  state: SubscriptionState;
  /** Its page has a stop form. */
  isStoppable: boolean;
  formula: string | null;
  price: string;
  since: string;
  next: string | null;
  until: string | null;
  ended: string | null;
  /** The way on after the end. */
  ending: EndingWords | null;
  /** Name of the contract in letters and notices. */
  reference: string | null;
  /** End of the paid period, or of the grace. After a stop, access lasts until then. */
  accessEnd: string;
  credits: string | null;
  /** What became of the credit, and its conditions. Null where the API does not tell. */
  credit: CreditWords | null;
  /** Why the renewal can be paid on a page now. */
  due: DueReason | null;
  /** The same in sentences, and the button that leads to the payment. */
  dueWords: { text: string | null; pay: string } | null;
  /** Effects of received notices, in sentences. */
  announced: string[];
  /** Something was declared without signing in, and the owner may take it back. */
  undoable: UndoableWords | null;
  /** A withdrawal waits for its refund; the owner's own, signed in, is refunded at once. */
  isWithdrawing: boolean;
  /** Last day, formatted, on which the running contract can be withdrawn from. */
  withdrawableUntil: string | null;
};

/** `isOnHold`: the contract may go on by itself, unless another one is bought meanwhile. */
export type EndingWords = { isOnHold: boolean; text: string };

export type CreditWords = {
  state: string;
  terms: string;
  /** What a stop of the renewal, the deletion of the account, or a withdrawal would change. */
  onStop: LossWords;
  onDeletion: LossWords;
  onWithdrawal: LossWords;
};

/** A sentence to read before the last button. Null where there is nothing to lose any more. */
export type LossWords = { isLost: boolean; text: string } | null;

/** `formula`: tells name and period where the subscription leaves them out. */
export function subscriptionWords(
  subscription: Subscription,
  formula: Formula | null = null,
): SubscriptionWords {
  const state = stateOf(subscription);
  const { expirationDateTime, endedDateTime, graceDateTime, dueReason } = subscription;
  const { nextTryDateTime, withdrawableUntilDateTime } = subscription;
  const accessEnd = formatDate(graceDateTime ?? expirationDateTime);
  const amount = formatAmount(subscription.amount);
  const date = formatDate(nextTryDateTime ?? expirationDateTime);
  const next = translate("account", "nextDebit", { amount, date });
  const due = isRenewed(subscription) || graceDateTime ? (dueReason ?? null) : null;
  return {
    state,
    isStoppable: STOPPABLE.includes(state),
    formula: subscription.formulaName ?? formula?.name ?? null,
    price: priceOf(subscription, formula),
    since: formatDate(subscription.startedDateTime),
    next: isChargedNext(subscription, state) ? next : null,
    until: endOfAccess(subscription, state),
    ended: endedDateTime && formatDate(endedDateTime),
    ending: endedDateTime === null ? null : endingWords(subscription),
    reference: subscription.reference ?? null,
    accessEnd,
    due,
    dueWords: due && wordsOfDue(subscription, due, accessEnd),
    announced: noticeSentences(subscription),
    undoable: undoableWords(subscription),
    isWithdrawing: subscription.withdrawal !== undefined,
    withdrawableUntil:
      withdrawableUntilDateTime && !endedDateTime ? lastDayBefore(withdrawableUntilDateTime) : null,
    credits: subscription.credits ? formatAmount(subscription.credits) : null,
    credit: subscription.credit
      ? creditOfContract(subscription.credit, {
          debitAt: expectedDebit(subscription, state),
          isWithdrawing: subscription.withdrawal !== undefined,
          continuesIfUndone: subscription.continuesIfUndone === true,
        })
      : null,
  };
}

/** Whether it has ended, but goes on if its money returns. */
export const isOnHold = ({ holdUntilDateTime }: Subscription): boolean =>
  holdUntilDateTime !== undefined;

/** What becomes of a contract on hold; null for any other. */
export function holdWords({ endedDateTime, holdUntilDateTime }: Subscription): string | null {
  if (!endedDateTime || !holdUntilDateTime) return null;
  const [date, until] = [formatDate(endedDateTime), formatDate(holdUntilDateTime)];
  return translate("debit", "onHold", { date, until });
}

/** After an end without a stop the account stays, and can buy again. */
export function endingWords(subscription: Subscription): EndingWords {
  const onHold = holdWords(subscription);
  if (onHold !== null) return { isOnHold: true, text: onHold };
  const isLeaving = subscription.cancelledDateTime !== null;
  return {
    isOnHold: false,
    text: translate("subscription", isLeaving ? "ended.leaving" : "ended.unpaid"),
  };
}

/** What becomes of a debit on which the bank decides after the end. An account that stays waits to order again. */
export function debitAfterEnd(amount: number, subscription: Subscription): string {
  const refunded = translate("debit", "afterEnd.refunded", { amount: formatAmount(amount) });
  if (subscription.cancelledDateTime !== null || isOnHold(subscription)) return refunded;
  return `${refunded} ${translate("debit", "afterEnd.wait")}`;
}

/** A planned end can be brought forward. */
const STOPPABLE: readonly SubscriptionState[] = [
  "active",
  "grace",
  "undecided",
  "delayed",
  "planned",
];

/**
 * What a stop of the renewal leaves. A debit that is under way at the bank is not called back, and an open withdrawal
 * may end the access before.
 */
export function stopEffect(subscription: Subscription): string {
  const { amount, graceDateTime, expirationDateTime } = subscription;
  const effect = translate("debit", isUndecided(subscription) ? "stop.undecided" : "stop.nothing", {
    amount: formatAmount(amount),
    date: formatDate(graceDateTime ?? expirationDateTime),
  });
  return [effect, ...withdrawingWords(subscription)].join(" ");
}

/** What becomes of a stopped contract beside an open withdrawal, unless that is undone; nothing without one. */
export function withdrawingWords({ withdrawal }: Subscription): string[] {
  if (!withdrawal) return [];
  const received = formatDate(withdrawal.receivedDateTime);
  const refund = formatDate(withdrawal.refundDateTime);
  return [translate("debit", "stop.withdrawing", { received, refund })];
}

/** The contract as its stop alone leaves it: whoever undoes an open withdrawal leaves its end as it was. */
export const withoutWithdrawal = (subscription: Subscription): Subscription => ({
  ...subscription,
  withdrawal: undefined,
});

/** Whether nobody knows yet if the debit that was due succeeds. Without the end of the access nothing is told of it. */
export const isUndecided = ({ isDebitUndecided, graceDateTime }: Subscription): boolean =>
  isDebitUndecided === true && graceDateTime !== undefined;

const isDelayed = ({ isDebitDelayed, graceDateTime }: Subscription): boolean =>
  isDebitDelayed === true && graceDateTime !== undefined;

/** Without a card nothing is charged, whatever is due. */
function isChargedNext(subscription: Subscription, state: SubscriptionState): boolean {
  if (subscription.cardMissing) return false;
  if (state === "grace") return subscription.nextTryDateTime !== undefined;
  return state === "active" || (state === "planned" && isRenewed(subscription));
}

/** A refusal and the debit that is tried again are told together. */
function wordsOfDue({ amount, nextTryDateTime }: Subscription, due: DueReason, end: string) {
  const pay = translate("subscription", `due.${due}.pay`);
  if (due === "missing") return { text: null, pay };
  const text = translate("subscription", `due.${due}.text`, { date: end });
  if (!nextTryDateTime) return { text, pay };
  const next = { amount: formatAmount(amount), date: formatDate(nextTryDateTime) };
  // As in the mail of the refusal: nothing has to be done if the card can be charged by then.
  if (due === "declined") {
    const retried = { date: end, amount: next.amount, next: next.date };
    return { text: translate("subscription", "due.declined.retried", retried), pay };
  }
  return { text: `${text} ${translate("account", "nextTry", next)}`, pay };
}

/** Whether a credit is still to be paid: a void one, and one that a stop has lost, are not. */
export const isCreditAhead = ({ status, lapse }: Credit): boolean =>
  status === "due" || (status === "awaited" && lapse !== "stopped");

/** The next debit, where it is expected on a day; null where a payment is late, or none follows. */
function expectedDebit(subscription: Subscription, state: SubscriptionState): string | null {
  const isExpected = state !== "grace" && isChargedNext(subscription, state);
  return isExpected ? subscription.expirationDateTime : null;
}

/**
 * The credit of a contract in words.
 * @param debitAt the next debit, if one is expected: it is the first of a whole period while the credit awaits that one
 */
export function creditWordsOf(credit: Credit, debitAt: string | null = null): CreditWords {
  const { amount, status, dueDateTime, lapse, isHeld } = credit;
  const state = creditState(credit, debitAt);
  // Nobody is told of a credit that becomes void before it was told as due.
  const nextMail = status === "due" ? "mailIfPaid" : "mailIfDue";
  const mail = translate("account", `credit.deletion.${nextMail}`);
  const values = { amount: formatAmount(amount), state, mail };
  const isOwed = status === "due" || (status === "awaited" && dueDateTime !== undefined);
  // What a stop has lost already cannot be lost once more.
  const isUnearned = status === "awaited" && dueDateTime === undefined && isCreditAhead(credit);
  return {
    state,
    terms: creditWords(amount, credit),
    onStop: lossWords("stop", lapse === "if-stopped"),
    onDeletion:
      lapse === "if-deleted"
        ? { isLost: true, text: translate("account", "credit.deletion.returned", values) }
        : isHeld && isOwed
          ? { isLost: false, text: translate("account", "credit.deletion.held", values) }
          : lossWords("deletion", isUnearned),
    onWithdrawal: isCreditAhead(credit)
      ? { isLost: true, text: translate("account", "credit.withdrawal", values) }
      : null,
  };

  function lossWords(act: "stop" | "deletion", isLost: boolean): LossWords {
    if (!isLost && !isOwed) return null;
    return {
      isLost,
      text: translate("account", `credit.${act}.${isLost ? "lost" : "kept"}`, values),
    };
  }
}

type ContractOfCredit = {
  debitAt?: string | null;
  isWithdrawing: boolean;
  /** Others alone have stopped it, and undoing that brings back the credit that the stop has lost. */
  continuesIfUndone: boolean;
};

/**
 * While a withdrawal is open, no credit stays promised to whoever stops the renewal or deletes the account: its refund
 * makes it void. One that others' stop has lost is lost for good by whatever prevents the undoing.
 */
export function creditOfContract(
  credit: Credit,
  { debitAt = null, isWithdrawing, continuesIfUndone }: ContractOfCredit,
): CreditWords {
  const words = wordsUnlessUndone(credit, { debitAt, continuesIfUndone });
  if (!isWithdrawing) return words;
  const onStop = words.onStop?.isLost === false ? null : words.onStop;
  if (words.onDeletion?.isLost !== false) return { ...words, onStop };
  const amount = formatAmount(credit.amount);
  const text = translate("account", "credit.deletion.withdrawing", { amount });
  return { ...words, onStop, onDeletion: { isLost: true, text } };
}

function wordsUnlessUndone(
  credit: Credit,
  { debitAt, continuesIfUndone }: { debitAt: string | null; continuesIfUndone: boolean },
): CreditWords {
  const words = creditWordsOf(credit, debitAt);
  const { lapse, reason, ...unstopped } = credit;
  const isLostByStop = lapse === "stopped" || reason === "ended";
  if (!continuesIfUndone || !isLostByStop) return words;
  const awaited = { ...unstopped, status: "awaited", lapse: "if-stopped" } as const;
  const { onStop, onDeletion, onWithdrawal } = creditWordsOf(awaited, debitAt);
  // A contract that has ended cannot be stopped once more.
  return { ...words, ...(lapse === "stopped" && { onStop }), onDeletion, onWithdrawal };
}

function creditState(credit: Credit, debitAt: string | null): string {
  const { status, dueDateTime, paidDate, reason, lapse, isHeld } = credit;
  const date = dueDateTime === undefined ? "" : formatDate(dueDateTime);
  if (isHeld) return translate("account", "credit.held");
  switch (status) {
    case "awaited":
      if (lapse === "stopped") return translate("account", "credit.stopped");
      if (dueDateTime) return translate("account", "credit.awaitedFrom", { date });
      return awaitedState(credit, debitAt);
    case "due":
      return translate("account", "credit.due", { date });
    case "paid":
      return translate("account", "credit.paid", { date: paidDate ? formatDate(paidDate) : "" });
    case "void":
      return translate("account", `credit.void.${reason ?? "ended"}`);
  }
}

/** Before the debit that the credit follows. A short delay may end before the right to withdraw: no day is named. */
function awaitedState(credit: Credit, debitAt: string | null): string {
  if (debitAt === null || credit.delayAfter !== "full-payment" || waitsForWithdrawal(credit))
    return translate("account", "credit.awaited");
  return translate("account", "credit.expected", {
    date: formatDate(creditDay(debitAt, credit)),
    debit: formatDate(debitAt),
  });
}

/** The price of the contract if the API names it, because the formula may have changed since. */
function priceOf(subscription: Subscription, formula: Formula | null): string {
  const amount = formatAmount(subscription.amount);
  if (subscription.period) return `${amount} ${periodWords(subscription.period)}`;
  if (!formula) return amount;
  const { periodDuration: duration, periodDurationUnit: unit } = formula;
  return `${amount} ${periodWords({ duration, unit })}`;
}

/**
 * End of access. Null while the subscription is renewed, and after its end. After a stop during an undecided
 * debit nobody knows it yet: that debit may still pay for a period (`stopEffect`).
 */
function endOfAccess(subscription: Subscription, state: SubscriptionState): string | null {
  const { graceDateTime, expirationDateTime, plannedEndDateTime, withdrawal } = subscription;
  const paidUntil = graceDateTime ?? expirationDateTime;
  if (state === "active" || state === "ended") return null;
  if (state === "inProcess" && isUndecided(subscription)) return null;
  if (state === "planned") return formatDate(plannedEndDateTime ?? paidUntil);
  const refundedAt = withdrawal?.refundDateTime ?? paidUntil;
  return formatDate(Date.parse(refundedAt) < Date.parse(paidUntil) ? refundedAt : paidUntil);
}

/** Whether another period follows the paid one. A planned end within the paid period prevents it. */
export const isRenewed = ({ plannedEndDateTime, expirationDateTime }: Subscription) =>
  !plannedEndDateTime || Date.parse(plannedEndDateTime) > Date.parse(expirationDateTime);

function noticeSentences(subscription: Subscription): string[] {
  const { plannedEndDateTime, withdrawal, cancellation, ownCancellation } = subscription;
  const sentences = [...begunWords(subscription), ...cardMissingWords(subscription)];
  if (withdrawal) {
    const received = formatDate(withdrawal.receivedDateTime);
    const refund = formatDate(withdrawal.refundDateTime);
    sentences.push(translate("account", "withdrawal", { received, refund }));
    if (isUndecided(subscription)) {
      const amount = formatAmount(subscription.amount);
      sentences.push(translate("debit", "withdrawn", { amount }));
    }
  }
  if (plannedEndDateTime) {
    sentences.push(plannedWords(subscription, formatDate(plannedEndDateTime)));
    // What was declared without sign-in says below how it is undone.
    if (!cancellation) sentences.push(translate("account", "planned.undo"));
  }
  if (ownCancellation) {
    const received = formatDate(ownCancellation.receivedDateTime);
    const until = formatDateTime(ownCancellation.undoDateTime);
    sentences.push(translate("account", "ownCancellation", { received, until }));
  }
  if (cancellation) {
    const received = formatDate(cancellation.receivedDateTime);
    const until = formatDateTime(cancellation.undoDateTime);
    // Where its owner can undo it here, the page has that way alone.
    const key = subscription.hasUnsignedNotice ? "undoableCancellation" : "cancellation";
    sentences.push(translate("account", key, { received, until }));
  }
  return sentences;
}

/** A debit on which the bank decides. None after a withdrawal: its own sentence says what becomes of the money. */
function begunWords(subscription: Subscription): string[] {
  const { amount, cancelledDateTime, endedDateTime, withdrawal } = subscription;
  const { expirationDateTime, graceDateTime } = subscription;
  const key = isUndecided(subscription) ? "undecided" : isDelayed(subscription) && "delayed";
  if (!key || endedDateTime || withdrawal) return [];
  if (cancelledDateTime) return key === "undecided" ? [stopEffect(subscription)] : [];
  const due = formatDate(expirationDateTime);
  const until = formatDate(graceDateTime ?? expirationDateTime);
  // Paid before its day with another card: without it, the known card is debited on that day.
  const isEarly = key === "undecided" && graceDateTime === expirationDateTime;
  const words = { amount: formatAmount(amount), due, until };
  return [translate("debit", isEarly ? "early" : key, words)];
}

/** Without a card, or while a renewal is unpaid, the contract may end before. */
function plannedWords(subscription: Subscription, date: string): string {
  const { cardMissing, graceDateTime } = subscription;
  if (!isRenewed(subscription)) return translate("account", "planned.paid", { date });
  if (cardMissing || graceDateTime) return translate("debit", "plannedIfPaid", { date });
  return translate("account", "planned.renewed", { date });
}

function cardMissingWords(subscription: Subscription): string[] {
  const { cardMissing, graceDateTime } = subscription;
  if (!cardMissing || (!graceDateTime && !isRenewed(subscription))) return [];
  const from = formatDate(cardMissing.payFromDateTime);
  const until = formatDate(cardMissing.payUntilDateTime);
  const key = subscription.dueReason ? "now" : "later";
  return [translate("debit", `cardMissing.${key}`, { from, until })];
}

function stateOf(subscription: Subscription): SubscriptionState {
  const { cancelledDateTime, endedDateTime, graceDateTime } = subscription;
  if (endedDateTime) return "ended";
  if (subscription.withdrawal) return "withdrawn";
  if (cancelledDateTime) return "inProcess";
  if (isUndecided(subscription)) return "undecided";
  if (isDelayed(subscription)) return "delayed";
  if (graceDateTime) return "grace";
  return subscription.plannedEndDateTime ? "planned" : "active";
}
