import { createDraft, type Draft } from "./draft";
import { formatAmount, formatDay, formatMoment, formatMonth } from "./format";
import catalogue from "./letters.fr.json";
import type { LetterOf } from "./letters";
import { links } from "./links";

const { letters } = catalogue;

export function welcome({ site, offer, reference, accountUrl }: LetterOf<"welcome">): Draft {
  return createDraft(letters.welcome, {
    values: { site: site.title },
    facts: [
      ["order", offer],
      ["reference", reference],
    ],
    url: accountUrl,
  });
}

/** Receipt after each payment. */
export function receipt({ site, cardHint, ...paid }: LetterOf<"receipt">): Draft {
  const amount = formatAmount(paid.amount);
  const periodEnd = formatMoment(paid.periodEnd);
  return createDraft(letters.receipt, {
    values: { site: site.title, amount, periodEnd },
    facts: [
      ["amountPaid", amount],
      ["paidAt", formatMoment(paid.date)],
      ["paidUntil", periodEnd],
      ["card", cardHint],
      ["statement", site.statement],
    ],
    url: site.url,
  });
}

/**
 * Renewal notice; the last date to refuse is framed, as art. L215-1 asks ("dans un encadré
 * apparent").
 */
export function renewalNotice({ site, ...due }: LetterOf<"renewal-notice">): Draft {
  const date = formatMoment(due.date);
  return createDraft(letters.renewalNotice, {
    values: { site: site.title, day: formatDay(due.date) },
    facts: [
      ["amountDue", formatAmount(due.amount)],
      ["renewedAt", date],
    ],
    framed: ["stopBefore", date],
    url: due.cancelUrl,
  });
}

/** Notice before the first full debit after a trial. */
export function trialEnding({ site, ...due }: LetterOf<"trial-ending">): Draft {
  const amount = formatAmount(due.amount);
  const date = formatMoment(due.date);
  return createDraft(letters.trialEnding, {
    values: { site: site.title, amount, day: formatDay(due.date) },
    facts: [
      ["amountDue", amount],
      ["trialEnd", date],
    ],
    framed: ["stopTrialBefore", date],
    url: due.cancelUrl,
  });
}

export function cardExpiring({ site, ...due }: LetterOf<"card-expiring">): Draft {
  return createDraft(letters.cardExpiring, {
    values: { site: site.title },
    facts: [
      ["cardExpiry", formatMonth(due.expiry)],
      ["amountDue", formatAmount(due.amount)],
      ["nextDebit", formatMoment(due.date)],
    ],
    url: due.payUrl,
  });
}

export function cardMissing({ site, when, ...due }: LetterOf<"card-missing">): Draft {
  const amount = formatAmount(due.amount);
  return createDraft(cardMissingWords(when), {
    values: {
      site: site.title,
      amount,
      day: formatDay(due.date),
      until: formatMoment(due.payUntil),
    },
    facts: [
      ["amountDue", amount],
      ["dueAt", formatMoment(due.date)],
      ["payFrom", due.payFrom && formatMoment(due.payFrom)],
      ["payUntil", formatMoment(due.payUntil)],
    ],
    url: due.payUrl,
  });
}

function cardMissingWords(when: LetterOf<"card-missing">["when"]) {
  switch (when) {
    case "before":
      return letters.cardMissing;
    case "due":
      return { ...letters.cardMissing, ...letters.cardMissingWhenDue };
    case "last":
      return { ...letters.cardMissing, ...letters.cardMissingWhenDue, ...letters.cardMissingLast };
  }
}

export function renewalDelayed({ site, ...due }: LetterOf<"renewal-delayed">): Draft {
  const amount = formatAmount(due.amount);
  const graceUntil = formatMoment(due.graceUntil);
  return createDraft(letters.renewalDelayed, {
    values: { site: site.title, amount, graceUntil },
    facts: [
      ["amountDue", amount],
      ["keptUntil", graceUntil],
    ],
    url: due.accountUrl,
  });
}

export function renewalDeclined(letter: LetterOf<"renewal-declined">): Draft {
  const { site, needs, retryAt, payUrl } = letter;
  const amount = formatAmount(letter.amount);
  const graceUntil = formatMoment(letter.graceUntil);
  const isLast = retryAt === null;
  const text = {
    ...letters.renewalDeclined,
    ...(needs === "card" ? letters.cardOfNoUse : {}),
    ...(isLast ? letters.lastRenewalDeclined : {}),
    ...(needs === "confirmation" ? letters.confirmationNeeded : {}),
  };
  return createDraft(text, {
    values: { site: site.title, amount, graceUntil },
    facts: [
      ["amountDue", amount],
      ["retryAt", isLast ? null : formatMoment(retryAt)],
      ["keptUntil", graceUntil],
    ],
    url: payUrl,
  });
}

export function refund({ site, ...refunded }: LetterOf<"refund">): Draft {
  const amount = formatAmount(refunded.amount);
  return createDraft(letters.refund, {
    values: { site: site.title, amount },
    facts: [
      ["amountRefunded", amount],
      ["refundedAt", formatMoment(refunded.date)],
      ["statement", site.statement],
    ],
    url: site.url,
  });
}

export function paymentDisputed({ site, ...disputed }: LetterOf<"payment-disputed">): Draft {
  const amount = formatAmount(disputed.amount);
  return createDraft(letters.paymentDisputed, {
    values: { site: site.title, amount },
    facts: [
      ["amountDisputed", amount],
      ["statement", site.statement],
    ],
    url: links.contact(site),
  });
}

export function accessReturned({ site, ...open }: LetterOf<"access-returned">): Draft {
  const openUntil = formatMoment(open.openUntil);
  return createDraft(letters.accessReturned, {
    values: { site: site.title, openUntil },
    facts: [["openUntil", openUntil]],
    url: links.account(site),
  });
}
