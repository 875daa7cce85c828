import { createDraft, type Draft } from "./draft";
import { formatAmount, formatDay, formatMoment } from "./format";
import catalogue from "./letters.fr.json";
import type { Debit, LetterOf, Notice } from "./letters";
import { links } from "./links";
import { sanitizeTyped } from "./sanitize-typed";

const { letters } = catalogue;

export function stopConfirmed({ site, ...stop }: LetterOf<"stop-confirmed">): Draft {
  const endsAt = formatMoment(stop.endsAt);
  return createDraft(letters.stopConfirmed, {
    values: { site: site.title, endsAt },
    facts: [["openUntil", endsAt]],
    url: site.url,
  });
}

export function subscriptionEnded(letter: LetterOf<"subscription-ended">): Draft {
  const { site, endedAt, deletedAt } = letter;
  return createDraft(endWords(letter), {
    values: { site: site.title },
    facts: [
      ["endedAt", formatMoment(endedAt)],
      ["profileDeletedAt", deletedAt && formatMoment(deletedAt)],
    ],
    url: letter.registerUrl,
  });
}

function endWords({ cause }: LetterOf<"subscription-ended">) {
  switch (cause) {
    case "stopped":
      return letters.subscriptionEnded;
    case "unpaid":
      return { ...letters.subscriptionEnded, ...letters.endedUnpaid };
    case "not charged":
      return { ...letters.subscriptionEnded, ...letters.endedNotCharged };
    case "returned":
      return { ...letters.subscriptionEnded, ...letters.endedReturned };
  }
}

export function accountDeleted({ site, date, refunded }: LetterOf<"account-deleted">): Draft {
  const words = letters.accountDeleted;
  return createDraft(refunded > 0 ? { ...words, ...letters.accountDeletedRefunded } : words, {
    values: { site: site.title },
    facts: [
      ["profileDeletedAt", formatMoment(date)],
      ["refund", refunded > 0 ? formatAmount(refunded) : null],
    ],
    url: site.url,
  });
}

/** art. L215-1-1: content, date and time of the notice, end of the contract. */
export function cancellationReceipt(letter: LetterOf<"cancellation-receipt">): Draft {
  const { site, notice, isPlanned } = letter;
  const undoUntil = formatMoment(letter.undoUntil);
  const planned = isPlanned ? letters.cancellationPlanned : {};
  return createDraft(
    { ...letters.cancellationReceipt, ...planned },
    {
      values: { site: site.title, receivedAt: formatMoment(notice.receivedAt), undoUntil },
      facts: [
        ...noticeFacts(notice),
        ["accessEnd", formatMoment(letter.endsAt)],
        ["undoUntil", undoUntil],
      ],
      url: letter.undoUrl,
    },
  );
}

/** Receipt of a cancellation that found no contract to stop. */
export function cancellationWithoutEffect(letter: LetterOf<"cancellation-without-effect">): Draft {
  const { site, notice, endsAt } = letter;
  const words = endsAt === null ? letters.cancellationWithoutEffect : letters.cancellationRepeated;
  return createDraft(
    { ...letters.cancellationReceipt, ...words },
    {
      values: { site: site.title, receivedAt: formatMoment(notice.receivedAt) },
      facts: [...noticeFacts(notice), ["accessEnd", endsAt && formatMoment(endsAt)]],
      url: site.url,
    },
  );
}

export function cancellationUndone(letter: LetterOf<"cancellation-undone">): Draft {
  return undoneDraft(letter, letters.cancellationUndone);
}

export function withdrawalUndone(letter: LetterOf<"withdrawal-undone">): Draft {
  return undoneDraft(letter, { ...letters.cancellationUndone, ...letters.withdrawalUndone });
}

/** what goes on names what it costs, and when. */
function undoneDraft(
  { site, date, debit }: LetterOf<"cancellation-undone" | "withdrawal-undone">,
  words: Parameters<typeof createDraft>[0],
) {
  const amount = debit && formatAmount(debit.amount);
  const day = debit && formatDay(debit.date);
  return createDraft(
    { ...words, ...undoneWords(debit) },
    {
      values: { site: site.title, amount: amount ?? "", day: day ?? "" },
      facts: [
        ["undoneAt", formatMoment(date)],
        ["amountDue", amount],
        [debit?.when === "by hand" ? "payUntil" : "nextDebit", debit && formatMoment(debit.date)],
      ],
      url: debit?.when === "by hand" ? links.payment(site) : site.url,
    },
  );
}

function undoneWords(debit: Debit | null) {
  switch (debit?.when) {
    case "now":
      return letters.undoneChargedNow;
    case "later":
      return letters.undoneChargedLater;
    case "by hand":
      return letters.undonePaidByHand;
    case undefined:
      return letters.undoneButStopped;
  }
}

/** art. L221-21: content, date and time of the declaration. */
export function withdrawalReceipt(letter: LetterOf<"withdrawal-receipt">): Draft {
  return withdrawalDraft(letter, withdrawalWords(letter.refunded));
}

/** Receipt of a withdrawal that changed nothing. */
export function withdrawalWithoutEffect(letter: LetterOf<"withdrawal-without-effect">): Draft {
  const { refunded } = letter;
  if (refunded !== null) return withdrawalDraft(letter, withdrawalWords(refunded));
  const words = { ...letters.withdrawalReceipt, ...letters.withdrawalWithoutEffect };
  return withdrawalDraft(letter, words);
}

const withdrawalWords = (refunded: number) =>
  refunded === 0
    ? { ...letters.withdrawalReceipt, ...letters.withdrawalWithoutRefund }
    : letters.withdrawalReceipt;

function withdrawalDraft(
  { site, notice, refunded }: LetterOf<"withdrawal-receipt" | "withdrawal-without-effect">,
  words: Parameters<typeof createDraft>[0],
) {
  return createDraft(words, {
    values: { site: site.title, receivedAt: formatMoment(notice.receivedAt) },
    facts: [...noticeFacts(notice), ["refund", refunded ? formatAmount(refunded) : null]],
    url: site.url,
  });
}

/** Receipt with a button that confirms the withdrawal: a stranger may have typed this address. */
export function withdrawalToConfirm(letter: LetterOf<"withdrawal-to-confirm">): Draft {
  const { site, notice, confirmUrl } = letter;
  const confirmUntil = formatMoment(letter.confirmUntil);
  const text = { ...letters.withdrawalReceipt, ...letters.withdrawalToConfirm };
  return createDraft(text, {
    values: { site: site.title, receivedAt: formatMoment(notice.receivedAt), confirmUntil },
    facts: [...noticeFacts(notice), ["confirmUntil", confirmUntil]],
    url: confirmUrl,
  });
}

function noticeFacts({ name, email, reference, wishedDate, receivedAt }: Notice) {
  const facts: Parameters<typeof createDraft>[1]["facts"] = [
    ["name", sanitizeTyped(name)],
    ["email", email],
    ["reference", reference ? sanitizeTyped(reference) : null],
    ["wishedDate", wishedDate ? formatDay(wishedDate) : null],
    ["receivedAt", formatMoment(receivedAt)],
  ];
  return facts;
}
