import declarations from "../../../app/locales/fr/declaration.json";
import { contractWords } from "./contract-words";
import { createDraft, type Draft, type Labelled } from "./draft";
import { fill } from "./fill";
import { formatAmount, formatDay, formatMoment, lastDayBefore, LIMIT_MARK } from "./format";
import catalogue from "./letters.fr.json";
import type {
  Debit,
  LateWithdrawal,
  LetterOf,
  NamedNotice,
  NamedNotices,
  Notice,
  OpenWithdrawal,
  Refunded,
} from "./letters";
import { links } from "./links";
import { sanitizeTyped } from "./sanitize-typed";
import { rightFact, rightWords } from "./contract-ways";
import {
  withAmount,
  withCredit,
  withUnannounced,
  withUndecidedDebit,
  withWithdrawnCredit,
} from "./with-credit";

const { letters } = catalogue;

/** art. L215-1-1: content, date and time of the notice, end of the contract. */
export function cancellationReceipt(letter: LetterOf<"cancellation-receipt">): Draft {
  const { site, notice, isOver } = letter;
  const undoUntil = formatLimit(letter.undoUntil);
  const plannedEnd = formatMoment(letter.plannedEnd);
  const plain = { ...letters.cancellationReceipt, ...cancellationWords(letter) };
  const saysDeletion = isOver && !letter.isPlanned;
  const dated = saysDeletion ? plain : afterEnd(plain, letters.profileAfterEnd.details);
  const all = withDebitsAhead(dated, letter.debitsAhead);
  const words = withUndecidedDebit(all, letter.undecidedDebit, isOver ? "refunded" : "stopped");
  const isByOther = letter.isPlanned && letter.isStopped;
  const further = withUnannounced(withCredit(words, letter.credit, { isByOther }), letter);
  return createDraft(withOthers(withRight(further, letter.withdrawableUntil), notice), {
    values: {
      site: site.title,
      receivedAt: formatMoment(notice.receivedAt),
      undoUntil,
      plannedEnd,
    },
    facts: [
      ...noticeFacts(notice),
      [isOver ? "endedAt" : "accessEnd", formatMoment(letter.endsAt)],
      ["undoUntil", undoUntil],
      rightFact(site, letter.withdrawableUntil),
    ],
    quote: declarationOf("cancellation", site.title),
    url: letter.undoUrl,
  });
}

/** The debits before a planned end: whoever wishes a day of January does not expect that of the month. */
function withDebitsAhead(
  words: Parameters<typeof createDraft>[0],
  debits: LetterOf<"cancellation-receipt">["debitsAhead"],
) {
  if (!debits || debits.count === 0) return words;
  const { details } = debits.count === 1 ? letters.debitsAheadOne : letters.debitsAheadSeveral;
  const values = { count: String(debits.count), amount: formatAmount(debits.amount) };
  return afterEnd(
    words,
    details.map((line) => fill(line, values)),
  );
}

/** Adds lines after the first one, which says when the contract ends. */
function afterEnd(words: Parameters<typeof createDraft>[0], lines: string[]) {
  const [end = "", ...others] = words.details;
  return { ...words, details: [end, ...lines, ...others] };
}

const withRight = (words: Parameters<typeof createDraft>[0], until: string | null) => ({
  ...words,
  details: words.details.concat(rightWords(until)),
});

function cancellationWords(letter: LetterOf<"cancellation-receipt">) {
  const { isPlanned, isStopped, isUnpaid, isOver, isUndoableAfterEnd, endsSooner } = letter;
  if (isOver) return isPlanned ? letters.cancellationPlannedOnHold : letters.cancellationOver;
  if (isStopped && !isPlanned) return letters.cancellationStopped;
  if (isStopped)
    return isUnpaid ? letters.cancellationPlannedStoppedUnpaid : letters.cancellationPlannedStopped;
  if (endsSooner) return letters.cancellationPlannedSooner;
  const planned = isUnpaid ? letters.cancellationPlannedUnpaid : letters.cancellationPlanned;
  const { details } = isPlanned ? planned : letters.cancellationReceipt;
  const further = isUndoableAfterEnd ? letters.cancellationUndoableAfterEnd.details : [];
  return { details: details.concat(further) };
}

/** Receipt of a declaration that other open ones of the contract cover: it has no link of its own. */
export function noticeCovered(letter: LetterOf<"notice-covered">): Draft {
  const { site, declared, notice, endsAt } = letter;
  const isCancellation = declared === "cancellation";
  const receipt = isCancellation ? letters.cancellationReceipt : letters.withdrawalReceipt;
  const covered = isCancellation ? letters.noticeCovered : letters.withdrawalCovered;
  const outcome = isCancellation ? "stopped" : "withdrawn";
  const plain = { ...receipt, ...covered };
  const dated = isCancellation ? afterEnd(plain, letters.profileAfterEnd.details) : plain;
  const words = withUndecidedDebit(dated, letter.undecidedDebit, outcome);
  const whole = withRight(withUnannounced(words, letter), letter.withdrawableUntil);
  return createDraft(withOthers(whole, notice), {
    values: { site: site.title, receivedAt: formatMoment(notice.receivedAt) },
    facts: [
      ...noticeFacts(notice),
      ["accessEnd", endsAt && formatMoment(endsAt)],
      rightFact(site, letter.withdrawableUntil),
    ],
    quote: declarationOf(declared, site.title),
    url: site.url,
  });
}

/** Receipt of a cancellation that found no contract to stop. */
export function cancellationWithoutEffect(letter: LetterOf<"cancellation-without-effect">): Draft {
  const { site, notice, endsAt } = letter;
  const found = endsAt === null ? letters.cancellationWithoutEffect : letters.cancellationRepeated;
  const undecided = letter.isOrderUndecided && letters.orderUndecided;
  const all = { ...letters.cancellationReceipt, ...found, ...undecided };
  const dated = endsAt === null ? all : afterEnd(all, letters.profileAfterEnd.details);
  const words = withUndecidedDebit(dated, letter.undecidedDebit, "stopped");
  const whole = withRight(withUnannounced(words, letter), letter.withdrawableUntil);
  return createDraft(withOthers(whole, notice), {
    values: { site: site.title, receivedAt: formatMoment(notice.receivedAt) },
    facts: [
      ...noticeFacts(notice),
      ["accessEnd", endsAt && formatMoment(endsAt)],
      rightFact(site, letter.withdrawableUntil),
    ],
    quote: declarationOf("cancellation", site.title),
    url: site.url,
  });
}

/** Receipt of what was typed, for an address that is not the contract's: it tells of no contract. */
export function noticeNoted(letter: LetterOf<"cancellation-noted" | "withdrawal-noted">): Draft {
  const { kind, site, notice } = letter;
  const isCancellation = kind === "cancellation-noted";
  return createDraft(isCancellation ? letters.cancellationNoted : letters.withdrawalNoted, {
    values: { site: site.title, receivedAt: formatMoment(notice.receivedAt) },
    facts: noticeFacts(notice),
    quote: declarationOf(isCancellation ? "cancellation" : "withdrawal", site.title),
    url: site.url,
  });
}

export function cancellationUndone(letter: LetterOf<"cancellation-undone">): Draft {
  return undoneDraft(letter, letters.cancellationUndone);
}

export function withdrawalUndone(letter: LetterOf<"withdrawal-undone">): Draft {
  const words = { ...letters.cancellationUndone, ...letters.withdrawalUndone };
  return undoneDraft(letter, words);
}

/** A resumed contract names its next debit and its date. */
function undoneDraft(
  letter: LetterOf<"cancellation-undone" | "withdrawal-undone">,
  words: Parameters<typeof createDraft>[0],
) {
  const { site, date, debit, isOver, onHold, creditAmount } = letter;
  const plannedEnd = letter.plannedEnd && formatMoment(letter.plannedEnd);
  const isSeveral = letter.undone.named.length > 1;
  const amount = debit && formatAmount(debit.amount);
  const debitedAt = dateOf(debit);
  const undone = {
    ...words,
    ...(isSeveral && letters.severalUndone),
    ...(isOver ? overWords(letter) : undoneWords(debit)),
    ...(plannedEnd && letters.undoneUntilPlanned),
    ...(onHold && (onHold.renewal === null ? letters.undoneOnHoldStopped : letters.undoneOnHold)),
  };
  const outcome = isOver || onHold ? "refunded" : "paying";
  const all = withUndecidedDebit(undone, letter.undecidedDebit, outcome);
  const { details } = letters.creditAwaitedAgain;
  const credited = creditAmount === null ? all : withAmount(all, details, creditAmount);
  const right = rightWords(letter.withdrawableUntil, { goesOn: true });
  return createDraft(
    { ...credited, details: credited.details.concat(right) },
    {
      values: {
        site: site.title,
        amount: amount ?? "",
        day: debitedAt ? formatDay(debitedAt) : "",
        plannedEnd: plannedEnd ?? "",
        holdUntil: onHold ? formatDay(onHold.until) : "",
        renewal: onHold?.renewal ? formatAmount(onHold.renewal) : "",
      },
      facts: [
        ...namedFacts(letter.undone, {
          cancellation: "undoneCancellation",
          withdrawal: "undoneWithdrawal",
        }),
        ["contract", contractWords(letter.contract)],
        ["undoneAt", formatMoment(date)],
        ["plannedEnd", plannedEnd],
        ["amountDue", amount],
        [
          debit?.when === "by hand" ? "payUntil" : "nextDebit",
          debitedAt && formatMoment(debitedAt),
        ],
        rightFact(site, letter.withdrawableUntil),
      ],
      url: debit?.when === "by hand" ? links.payment(site) : site.url,
    },
  );
}

const overWords = ({ kind }: LetterOf<"cancellation-undone" | "withdrawal-undone">) =>
  kind === "withdrawal-undone" ? letters.withdrawalUndoneOver : letters.cancellationUndoneOver;

const dateOf = (debit: Debit | null) =>
  debit === null || debit.when === "undecided" ? null : debit.date;

function undoneWords(debit: Debit | null) {
  switch (debit?.when) {
    case "now":
      return debit.date === null ? letters.undoneChargedOnce : letters.undoneChargedNow;
    case "later":
      return letters.undoneChargedLater;
    case "by hand":
      return letters.undonePaidByHand;
    case "undecided":
      return {};
    case undefined:
      return letters.undoneButStopped;
  }
}

/** Names notices one by one as their mails named them, so that none disappears without a word. */
function namedFacts(
  { named, further }: NamedNotices,
  labels: Record<NamedNotice["kind"], Labelled[0]>,
): Labelled[] {
  const facts = named.map((notice): Labelled => [labels[notice.kind], nameNotice(notice)]);
  return facts.concat([["furtherNotices", further > 0 ? String(further) : null]]);
}

function nameNotice(notice: NamedNotice) {
  const moment = formatMoment(notice.receivedAt);
  const day = notice.kind === "cancellation" ? notice.wishedDate : null;
  return day === null
    ? fill(catalogue.receipt, { moment })
    : fill(catalogue.receiptForDay, { moment, day: formatDay(day) });
}

/** art. L221-21: content, date and time of the declaration. */
export function withdrawalReceipt(letter: LetterOf<"withdrawal-receipt">): Draft {
  const words = withWithdrawnCredit(withdrawalWords(letter.refunded), letter.credit, {
    isOpen: false,
  });
  return withdrawalDraft(letter, words, letter.settled);
}

/** Receipt of a withdrawal that changed nothing. */
export function withdrawalWithoutEffect(letter: LetterOf<"withdrawal-without-effect">): Draft {
  const { refunded, late, open } = letter;
  if (refunded !== null) return withdrawalDraft(letter, withdrawalWords(refunded));
  if (open) return openDraft(letter, open);
  if (late) return lateDraft(letter, late);
  const words = { ...letters.withdrawalReceipt, ...letters.withdrawalWithoutEffect };
  return withdrawalDraft(letter, {
    ...words,
    ...(letter.isOrderUndecided && letters.orderUndecided),
  });
}

/** Another declaration of the same contract came in time and is in effect: this one changes nothing. */
function openDraft(
  { site, notice }: LetterOf<"withdrawal-without-effect">,
  { receivedAt, refundAt, undecidedDebit }: OpenWithdrawal,
) {
  const words = { ...letters.withdrawalReceipt, ...letters.withdrawalAlreadyOpen };
  const all = withUndecidedDebit(words, undecidedDebit, "withdrawn");
  return createDraft(withOthers(all, notice), {
    values: {
      site: site.title,
      receivedAt: formatMoment(notice.receivedAt),
      openAt: formatMoment(receivedAt),
      refundAt: formatMoment(refundAt),
    },
    facts: noticeFacts(notice),
    quote: declarationOf("withdrawal", site.title),
    url: site.url,
  });
}

/** The right to withdraw was over: the contract goes on, with what is debited next, or was stopped before. */
function lateDraft(
  { site, notice }: LetterOf<"withdrawal-without-effect">,
  { deadline, debit, endsAt, isOver, holdUntil, undecidedDebit }: LateWithdrawal,
) {
  const amount = debit && formatAmount(debit.amount);
  const debitedAt = dateOf(debit);
  const day = debitedAt && formatDay(debitedAt);
  const { details, button } = holdUntil ? letters.withdrawalLateOnHold : lateWords(debit, isOver);
  const late = { ...letters.withdrawalReceipt, ...letters.withdrawalTooLate };
  const plain = { ...late, details: late.details.concat(details), button };
  const outcome = isOver || holdUntil ? "refunded" : debit ? "paying" : "stopped";
  const all = withUndecidedDebit(plain, undecidedDebit, outcome);
  return createDraft(withOthers(all, notice), {
    values: {
      site: site.title,
      receivedAt: formatMoment(notice.receivedAt),
      lastDay: lastDayBefore(deadline),
      amount: amount ?? "",
      day: day ?? "",
      holdUntil: holdUntil ? formatDay(holdUntil) : "",
    },
    facts: [
      ...noticeFacts(notice),
      ["withdrawableUntil", lastDayBefore(deadline)],
      ["amountDue", amount],
      [debit?.when === "by hand" ? "payUntil" : "nextDebit", day],
      [isOver ? "endedAt" : "accessEnd", endsAt && formatMoment(endsAt)],
    ],
    quote: declarationOf("withdrawal", site.title),
    url: debit || holdUntil ? links.cancellation(site) : site.url,
  });
}

function lateWords(debit: Debit | null, isOver: boolean) {
  switch (debit?.when) {
    case "now":
      return debit.date === null
        ? letters.withdrawalLateChargedOnce
        : letters.withdrawalLateChargedNow;
    case "later":
      return letters.withdrawalLateChargedLater;
    case "by hand":
      return letters.withdrawalLatePaidByHand;
    case "undecided":
      return letters.withdrawalLateUndecided;
    case undefined:
      return isOver ? letters.withdrawalLateOver : letters.withdrawalLateStopped;
  }
}

function withdrawalWords({ amount, owed, isFree, undecidedDebit, ...refunded }: Refunded) {
  if (owed > 0) {
    const { withdrawalRefundUndecided, withdrawalRefundFailed } = letters;
    const words = refunded.isUndecided ? withdrawalRefundUndecided : withdrawalRefundFailed;
    return { ...letters.withdrawalReceipt, ...words };
  }
  if (refunded.elsewhere > 0) {
    const { withdrawalRepaid, withdrawalRepaidInPart } = letters;
    const words = amount > refunded.elsewhere ? withdrawalRepaidInPart : withdrawalRepaid;
    return { ...letters.withdrawalReceipt, ...words };
  }
  if (amount > 0) return letters.withdrawalReceipt;
  const unpaid = isFree ? letters.withdrawalOfFreeTrial : letters.withdrawalWithoutRefund;
  const reason = undecidedDebit === null ? unpaid : letters.withdrawalOfUndecided;
  return { ...letters.withdrawalReceipt, ...reason };
}

/** The delay of the refund does not count from the day that a letter bears: the refund begins at once. */
function postedWords(refunded: Refunded | null) {
  const { details } = letters.withdrawalPostedRefund;
  const isMade = refunded && refunded.amount > 0 && refunded.elsewhere === 0 && !refunded.owed;
  return { ...letters.withdrawalPosted, ...(isMade && { details }) };
}

function withdrawalDraft(
  { site, notice, refunded }: LetterOf<"withdrawal-receipt" | "withdrawal-without-effect">,
  words: Parameters<typeof createDraft>[0],
  settled: NamedNotices = { named: [], further: 0 },
) {
  const { postedOn } = notice;
  const declaredOn = postedOn ? formatDay(postedOn) : null;
  const plain = declaredOn === null ? words : { ...words, ...postedWords(refunded) };
  const all = withUndecidedDebit(plain, refunded?.undecidedDebit ?? null, "refunded");
  return createDraft(withOthers(all, notice), {
    values: {
      site: site.title,
      receivedAt: formatMoment(notice.receivedAt),
      declaredOn: declaredOn ?? "",
      elsewhere: refunded ? formatAmount(refunded.elsewhere) : "",
    },
    facts: [
      ...noticeFacts(notice),
      ["refund", refunded?.amount ? formatAmount(refunded.amount) : null],
      ["amountOwed", refunded?.owed ? formatAmount(refunded.owed) : null],
      ...namedFacts(settled, { cancellation: "settledWith", withdrawal: "settledWith" }),
    ],
    quote:
      declaredOn === null
        ? declarationOf("withdrawal", site.title)
        : fill(catalogue.posted, { site: site.title, day: declaredOn }),
    url: site.url,
  });
}

/** Receipt with a button that confirms the withdrawal: a stranger may have typed this address. */
export function withdrawalToConfirm(letter: LetterOf<"withdrawal-to-confirm">): Draft {
  const { site, notice, confirmUrl, isOver, isStopped } = letter;
  const confirmUntil = formatLimit(letter.confirmUntil);
  const stopped = isStopped ? letters.withdrawalToConfirmStopped : {};
  const over = isOver ? letters.withdrawalToConfirmOver : {};
  const plain = {
    ...letters.withdrawalReceipt,
    ...letters.withdrawalToConfirm,
    ...stopped,
    ...over,
  };
  const all = withUndecidedDebit(plain, letter.undecidedDebit, isOver ? "refunded" : "withdrawn");
  const words = withWithdrawnCredit(all, letter.credit, { isOpen: true });
  return createDraft(withOthers(words, notice), {
    values: { site: site.title, receivedAt: formatMoment(notice.receivedAt), confirmUntil },
    facts: [...noticeFacts(notice), ["confirmUntil", confirmUntil]],
    quote: declarationOf("withdrawal", site.title),
    url: confirmUrl,
  });
}

/** What the page showed above its button, in the same words (L221-21, D221-5). */
const declarationOf = (kind: keyof typeof declarations, site: string) =>
  fill(declarations[kind], { site });

/** A limit that counts from the sending of the mail has a mark until then. */
const formatLimit = (limit: string | null) => (limit === null ? LIMIT_MARK : formatMoment(limit));

/** Says that another contract of the e-mail is not concerned, where there is one. */
function withOthers(words: Parameters<typeof createDraft>[0], { contract }: Notice) {
  const further = [
    ...(contract?.isWithdrawing ? letters.endsByWithdrawal.details : []),
    ...(contract?.hasOthers ? letters.otherContracts.details : []),
  ];
  return further.length > 0 ? { ...words, details: words.details.concat(further) } : words;
}

function noticeFacts(notice: Notice) {
  const { name, email, reference, wishedDate, postedOn, receivedAt, contract } = notice;
  const facts: Parameters<typeof createDraft>[1]["facts"] = [
    ["name", sanitizeTyped(name) || null],
    ["email", email || null],
    ["reference", reference ? sanitizeTyped(reference) : null],
    ["wishedDate", wishedDate ? formatDay(wishedDate) : null],
    ["declaredOn", postedOn ? formatDay(postedOn) : null],
    [postedOn ? "recordedAt" : "receivedAt", formatMoment(receivedAt)],
    ["contract", contract ? contractWords(contract) : null],
  ];
  return facts;
}
