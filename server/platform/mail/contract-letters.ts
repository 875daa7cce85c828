import { draft, type Draft } from "./draft";
import { formatAmount, formatDay, formatMoment } from "./format";
import catalogue from "./letters.fr.json";
import type { LetterOf, Notice } from "./letters";
import { asTyped } from "./typed";

const { letters } = catalogue;

export function stopConfirmed({ site, ...stop }: LetterOf<"stop-confirmed">): Draft {
  const endsAt = formatMoment(stop.endsAt);
  return draft(letters.stopConfirmed, {
    values: { site: site.title, endsAt },
    facts: [["openUntil", endsAt]],
    url: site.url,
  });
}

export function subscriptionEnded(letter: LetterOf<"subscription-ended">): Draft {
  const { site, endedAt, deletedAt } = letter;
  return draft(endWords(letter), {
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

export function accountDeleted({ site, date }: LetterOf<"account-deleted">): Draft {
  return draft(letters.accountDeleted, {
    values: { site: site.title },
    facts: [["profileDeletedAt", formatMoment(date)]],
    url: site.url,
  });
}

/** art. L215-1-1: content, date and time of the notice, end of the contract. */
export function cancellationReceipt(letter: LetterOf<"cancellation-receipt">): Draft {
  const { site, notice, endsAt, undoUrl } = letter;
  const undoUntil = letter.undoUntil && formatMoment(letter.undoUntil);
  const receivedAt = formatMoment(notice.receivedAt);
  return draft(cancellationWords(letter), {
    values: { site: site.title, receivedAt, undoUntil: undoUntil ?? "" },
    facts: [
      ...noticeFacts(notice),
      ["accessEnd", endsAt && formatMoment(endsAt)],
      ["undoUntil", undoUntil],
    ],
    url: undoUrl ?? site.url,
  });
}

function cancellationWords({ endsAt, undoUrl, isPlanned }: LetterOf<"cancellation-receipt">) {
  if (endsAt === null) {
    return { ...letters.cancellationReceipt, ...letters.cancellationWithoutContract };
  }
  if (undoUrl === null) return { ...letters.cancellationReceipt, ...letters.cancellationRepeated };
  return isPlanned
    ? { ...letters.cancellationReceipt, ...letters.cancellationPlanned }
    : letters.cancellationReceipt;
}

export function cancellationUndone({ site, ...undone }: LetterOf<"cancellation-undone">): Draft {
  const words = letters.cancellationUndone;
  return draft(undone.isStopped ? { ...words, ...letters.undoneButStopped } : words, {
    values: { site: site.title },
    facts: [["undoneAt", formatMoment(undone.date)]],
    url: site.url,
  });
}

export function withdrawalUndone({ site, ...undone }: LetterOf<"withdrawal-undone">): Draft {
  const words = { ...letters.cancellationUndone, ...letters.withdrawalUndone };
  return draft(undone.isStopped ? { ...words, ...letters.undoneButStopped } : words, {
    values: { site: site.title },
    facts: [["undoneAt", formatMoment(undone.date)]],
    url: site.url,
  });
}

/** art. L221-21: content, date and time of the declaration. */
export function withdrawalReceipt(letter: LetterOf<"withdrawal-receipt">): Draft {
  const { site, notice, refunded } = letter;
  return draft(withdrawalWords(refunded), {
    values: { site: site.title, receivedAt: formatMoment(notice.receivedAt) },
    facts: [...noticeFacts(notice), ["refund", refunded ? formatAmount(refunded) : null]],
    url: site.url,
  });
}

function withdrawalWords(refunded: number | null) {
  const words = letters.withdrawalReceipt;
  if (refunded === null) return { ...words, ...letters.withdrawalWithoutContract };
  return refunded === 0 ? { ...words, ...letters.withdrawalWithoutRefund } : words;
}

/** The receipt at once, the effect with the button: anybody may have typed this address. */
export function withdrawalToConfirm(letter: LetterOf<"withdrawal-to-confirm">): Draft {
  const { site, notice, confirmUrl } = letter;
  const confirmUntil = formatMoment(letter.confirmUntil);
  const text = { ...letters.withdrawalReceipt, ...letters.withdrawalToConfirm };
  return draft(text, {
    values: { site: site.title, receivedAt: formatMoment(notice.receivedAt), confirmUntil },
    facts: [...noticeFacts(notice), ["confirmUntil", confirmUntil]],
    url: confirmUrl,
  });
}

function noticeFacts({ name, email, reference, wishedDate, receivedAt }: Notice) {
  const facts: Parameters<typeof draft>[1]["facts"] = [
    ["name", asTyped(name)],
    ["email", email],
    ["reference", reference ? asTyped(reference) : null],
    ["wishedDate", wishedDate ? formatDay(wishedDate) : null],
    ["receivedAt", formatMoment(receivedAt)],
  ];
  return facts;
}
