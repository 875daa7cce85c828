import { contractWords } from "./contract-words";
import { createDraft, type Draft } from "./draft";
import { formatAmount, formatDay, formatMoment, lastDayBefore, LIMIT_DAY_MARK } from "./format";
import catalogue from "./letters.fr.json";
import type { LetterOf } from "./letters";
import { termsAnnex } from "./terms-annex";
import { withCredit, withLostCredit, withUnannounced, withUndecidedDebit } from "./with-credit";
import { rightFact, rightWords } from "./contract-ways";

const { letters } = catalogue;

/** Announces a new version of the terms in full before it applies to a running contract. */
export function termsChanged({ site, terms, ...change }: LetterOf<"terms-changed">): Draft {
  const { appliesAt, replaces, termsUrl } = change;
  const day = appliesAt === null ? LIMIT_DAY_MARK : formatDay(appliesAt);
  const plain = letters.termsChanged;
  const draft = createDraft(
    { ...plain, opening: plain.opening.concat(replacedWords(replaces)) },
    {
      values: { site: site.title, toldDay: replaces ? formatDay(replaces.toldAt) : "" },
      facts: [["appliesAt", day]],
      url: termsUrl,
    },
  );
  return { ...draft, annexes: [termsAnnex(terms, site)] };
}

function replacedWords(replaces: LetterOf<"terms-changed">["replaces"]) {
  if (!replaces) return [];
  return (replaces.hasOtherText ? letters.termsReplaced : letters.termsToldAgain).opening;
}

/** A change was announced and taken back: who read of it learns that nothing changes. */
export function termsKept({ site, termsUrl }: LetterOf<"terms-kept">): Draft {
  return createDraft(letters.termsKept, { values: { site: site.title }, facts: [], url: termsUrl });
}

export function stopConfirmed({ site, ...stop }: LetterOf<"stop-confirmed">): Draft {
  const endsAt = formatMoment(stop.endsAt);
  const plain = {
    ...letters.stopConfirmed,
    ...(stop.isWithdrawing && stopBesideWithdrawal),
    ...(stop.isOnHold && letters.stopConfirmedOnHold),
    ...(stop.isWrittenEnd && letters.stopConfirmedByLetter),
    ...(stop.besideOther && letters.stopConfirmedBesideOther),
  };
  const until = stop.withdrawableUntil ?? null;
  const words = { ...plain, details: plain.details.concat(rightWords(until)) };
  return createDraft(withStopped(words, stop), {
    values: {
      site: site.title,
      endsAt,
    },
    facts: [
      ["contract", stop.besideOther ? contractWords(stop.besideOther) : null],
      stop.isWrittenEnd
        ? ["declaredOn", formatDay(stop.receivedAt)]
        : ["receivedAt", formatMoment(stop.receivedAt)],
      [stop.isOnHold ? "accessEnd" : "openUntil", endsAt],
      rightFact(site, until),
    ],
    url: site.url,
  });
}

/** A withdrawal that was declared before may end the access that the stop leaves. */
const stopBesideWithdrawal = {
  ...letters.stopConfirmedWithdrawing,
  details: letters.endsByWithdrawal.details.concat(letters.stopConfirmedWithdrawing.details),
};

export function plannedStop({ site, ...stop }: LetterOf<"planned-stop">): Draft {
  const endsAt = formatMoment(stop.endsAt);
  const receivedAt = formatMoment(stop.receivedAt);
  const undoUntil = stop.undoUntil && formatMoment(stop.undoUntil);
  const plannedFor = formatDay(stop.plannedFor);
  const plain = { ...letters.plannedStop, ...(stop.isOnHold && letters.plannedStopOnHold) };
  const details = undoUntil
    ? plain.details.concat(letters.plannedStopUndoable.details)
    : plain.details;
  return createDraft(withStopped({ ...plain, details }, stop), {
    values: { site: site.title, endsAt, receivedAt, plannedFor, undoUntil: undoUntil ?? "" },
    facts: [
      ["reference", stop.reference],
      ["receivedAt", receivedAt],
      [stop.isOnHold ? "accessEnd" : "openUntil", endsAt],
      ["undoUntil", undoUntil],
    ],
    url: stop.subscriptionUrl,
  });
}

type Stopped = LetterOf<"stop-confirmed"> | LetterOf<"planned-stop">;

/** Says what a stop does to an undecided debit and to the credit. A contract on hold is paid by no debit. */
function withStopped(
  words: Parameters<typeof createDraft>[0],
  stop: Pick<Stopped, "undecidedDebit" | "credit" | "isOnHold" | "isUnannounced">,
) {
  const outcome = stop.isOnHold ? "refunded" : "stopped";
  const further = withUndecidedDebit(words, stop.undecidedDebit, outcome);
  return withUnannounced(withCredit(further, stop.credit), stop);
}

/** An account that stays can order again only once the bank has decided on its debit. */
export function subscriptionEnded(letter: LetterOf<"subscription-ended">): Draft {
  const { site, endedAt, deletedAt, keptFor } = letter;
  const isRefunded = letter.cause === "withdrawn" || keptFor === "withdrawal";
  const isWaiting = letter.undecidedDebit !== null && deletedAt === null && keptFor === null;
  const given = letter.rest + letter.renewed;
  const isByLetter = given > 0;
  const givenWords = [
    letter.rest > 0 ? letters.accountDeletedRest.details : [],
    letter.renewed > 0 ? letters.endedRenewedSince.details : [],
  ];
  const plain = {
    ...endWords(letter),
    ...(isByLetter && letters.endedByLetter),
    ...(isWaiting && letters.endedBeforeDecision),
    ...(isRefunded && letters.endedWithRefund),
  };
  const words = withUndecidedDebit(plain, letter.undecidedDebit, "refunded");
  const kept = keptFor ? keptWords[keptFor].details : [];
  const { receivedAt, withdrawableUntil } = letter;
  const right = withdrawableUntil ? letters.accountDeletedWithdrawable.details : [];
  return createDraft(
    withLostCredit(
      { ...words, details: givenWords.flat().concat(words.details, kept, right) },
      letter.lostCredit,
      keptFor === "cancellation" || keptFor === "withdrawal",
    ),
    {
      values: {
        site: site.title,
        withdrawUntil: withdrawableUntil ? lastDayBefore(withdrawableUntil) : "",
        rest: formatAmount(letter.rest),
        renewed: formatAmount(letter.renewed),
        holdUntil: letter.holdUntil ? formatDay(letter.holdUntil) : "",
      },
      facts: [
        isByLetter
          ? ["declaredOn", receivedAt && formatDay(receivedAt)]
          : [
              letter.stoppedBy === "withdrawal" ? "withdrawalReceivedAt" : "stopReceivedAt",
              receivedAt && formatMoment(receivedAt),
            ],
        ["endedAt", formatMoment(endedAt)],
        ["profileDeletedAt", deletedAt && formatMoment(deletedAt)],
        ["refund", isByLetter ? formatAmount(given) : null],
        rightFact(site, withdrawableUntil),
      ],
      url: isRefunded || isWaiting ? site.url : letter.registerUrl,
    },
  );
}

/** Until when a profile is kept whose day of deletion depends on something open (decision 0010). */
const keptWords = {
  refund: letters.keptForRefund,
  dispute: letters.keptForDispute,
  payment: letters.keptForPayment,
  withdrawal: letters.keptForWithdrawal,
  cancellation: letters.keptForCancellation,
};

function endWords({ cause, holdUntil }: LetterOf<"subscription-ended">) {
  switch (cause) {
    case "stopped":
      return letters.subscriptionEnded;
    case "withdrawn":
      return { ...letters.subscriptionEnded, ...letters.endedWithdrawn };
    case "unpaid":
      return { ...letters.subscriptionEnded, ...letters.endedUnpaid };
    case "undecided":
      return { ...letters.subscriptionEnded, ...letters.endedUndecided };
    case "not charged":
      return { ...letters.subscriptionEnded, ...letters.endedNotCharged };
    case "returned":
      return {
        ...letters.subscriptionEnded,
        ...(holdUntil === null ? letters.endedReturned : letters.endedOnHold),
      };
  }
}

export function accountDeleted(letter: LetterOf<"account-deleted">): Draft {
  const { site, date, refunded, rest, withdrawableUntil, pendingWithdrawal: pending } = letter;
  const words = {
    ...letters.accountDeleted,
    ...(rest > 0 && letters.accountDeletedUnannounced),
    ...(refunded > 0 && letters.accountDeletedRefunded),
  };
  const given = rest > 0 ? letters.accountDeletedRest.details : [];
  const further = [
    letter.isPaying ? letters.accountDeletedPaying.details : [],
    pending ? letters.accountDeletedPending.details : [],
    withdrawableUntil ? letters.accountDeletedWithdrawable.details : [],
  ];
  const all = { ...words, details: given.concat(words.details, further.flat()) };
  return createDraft(withLostCredit(all, letter.lostCredit), {
    values: {
      site: site.title,
      withdrawUntil: withdrawableUntil ? lastDayBefore(withdrawableUntil) : "",
      pendingAt: pending ? formatMoment(pending.receivedAt) : "",
      refundAt: pending ? formatMoment(pending.refundAt) : "",
      rest: formatAmount(rest),
    },
    facts: [
      ["profileDeletedAt", formatMoment(date)],
      ["refund", refunded + rest > 0 ? formatAmount(refunded + rest) : null],
      rightFact(site, withdrawableUntil),
    ],
    url: site.url,
  });
}
