import { escapeHtml } from "../content/markdown";
import { cancelFact, rightFact } from "./contract-ways";
import { contractWords } from "./contract-words";
import { createDraft, type Annex, type Draft, type Labelled } from "./draft";
import { fill } from "./fill";
import {
  formatAmount,
  formatCard,
  formatDay,
  formatMoment,
  formatMonth,
  formatRate,
  lastDayBefore,
} from "./format";
import catalogue from "./letters.fr.json";
import type { CreditFacts, Debit, LetterOf, Site } from "./letters";
import { links } from "./links";
import { termsAnnex } from "./terms-annex";
import { vatWithin } from "./vat";
import { withUndecidedDebit } from "./with-credit";

const { letters } = catalogue;

/**
 * Confirms the contract on a durable medium (L221-13): the order, the seller, the deadline and the ways
 * of withdrawal, then the model form and the accepted terms in full.
 */
export function welcome({ site, offer, reference, ...letter }: LetterOf<"welcome">): Draft {
  const { name, seat, email, phone } = site.seller;
  const withdrawUntil = lastDayBefore(letter.withdrawableUntil);
  const draft = createDraft(letters.welcome, {
    values: { site: site.title, withdrawUntil, contents: contentsOf(letter) },
    facts: [
      ["order", offer],
      ["credit", letter.credit],
      ["reference", reference],
      ["seller", [name, seat, phone, email].join(", ")],
      ["withdrawUntil", withdrawUntil],
      rightFact(site, letter.withdrawableUntil),
      cancelFact(site),
      ["mediator", site.mediator],
    ],
    url: letter.accountUrl,
  });
  const terms = letter.terms ? [termsAnnex(letter.terms, site)] : [];
  return { ...draft, annexes: [withdrawalForm(site), ...terms] };
}

/** Says what follows below the letter, and how its person accepted the terms. */
function contentsOf({ terms, acceptance }: Pick<LetterOf<"welcome">, "terms" | "acceptance">) {
  const words = catalogue.contractContents;
  if (!terms) return words.form;
  if (!acceptance) return words.withTerms;
  return fill(words[acceptance.by], { day: formatDay(acceptance.dateTime) });
}

/** The model form of the annex to article R221-1. */
function withdrawalForm({ seller }: Site): Annex {
  const { title, lines } = catalogue.withdrawalForm;
  const filled = lines.map((line) => fill(line, seller));
  return {
    title,
    text: filled.join("\n\n"),
    html: filled.map((line) => `<p>${escapeHtml(line)}</p>`).join("\n"),
  };
}

/** Receipt after each payment, with the next debit and the way to stop it. */
export function receipt({ site, cardHint, nextDebit, ...paid }: LetterOf<"receipt">): Draft {
  const amount = formatAmount(paid.amount);
  const periodEnd = formatMoment(paid.periodEnd);
  const isFree = paid.amount === 0;
  const nextAmount = nextDebit && formatAmount(nextDebit.amount);
  const nextDay = nextDebit && formatMoment(nextDebit.date);
  const contractEnd = paid.plannedEnd && formatMoment(paid.plannedEnd);
  const isEnding = contractEnd !== null;
  const words = receiptWords({ isFree, isDebitedNext: nextDebit !== null, isEnding });
  const { details } = letters.receiptUnannounced;
  const all = paid.isUnannounced ? { ...words, details: details.concat(words.details) } : words;
  return createDraft(all, {
    values: {
      site: site.title,
      amount,
      periodEnd,
      nextAmount: nextAmount ?? "",
      nextDay: nextDebit ? formatDay(nextDebit.date) : "",
      contractEnd: contractEnd ?? "",
    },
    facts: [
      ["service", paid.service],
      ["reference", paid.reference],
      ["client", paid.client],
      ["amountPaid", isFree ? null : amount],
      ...(isFree ? [] : taxOf(paid.amount, site)),
      ["paidAt", isFree ? null : formatMoment(paid.date)],
      [isFree ? "openUntil" : "paidUntil", periodEnd],
      ["card", cardHint && formatCard(cardHint)],
      ["statement", site.statementDescriptor],
      ["nextDebit", nextDay],
      ["nextAmount", nextAmount],
      ["contractEnd", contractEnd],
      ...(nextDebit ? [cancelFact(site)] : []),
    ],
    url: nextDebit ? paid.cancelUrl : site.url,
  });
}

/** The price before VAT and the VAT within it, where the owner has said the rate. */
function taxOf(amount: number, { vatRate: rate }: Site): Labelled[] {
  if (rate === null) return [];
  if (rate === 0) return [["tax", catalogue.noVat]];
  const { beforeTax, tax } = vatWithin(amount, rate);
  const values = { amount: formatAmount(tax), rate: formatRate(rate) };
  return [
    ["amountBeforeTax", formatAmount(beforeTax)],
    ["tax", fill(catalogue.vat, values)],
  ];
}

type ReceiptFacts = { isFree: boolean; isDebitedNext: boolean; isEnding: boolean };

/** Nothing was paid for a free trial. */
function receiptWords({ isFree, isDebitedNext, isEnding }: ReceiptFacts) {
  return {
    ...letters.receipt,
    ...(isFree && letters.receiptOfFreeTrial),
    ...(isDebitedNext && letters.receiptBeforeDebit),
    ...(isFree && isDebitedNext && letters.receiptOfFreeTrialBeforeDebit),
    ...(isEnding && letters.receiptUntilPlannedEnd),
  };
}

/**
 * Renewal notice; the last date to refuse is framed, as art. L215-1 asks ("dans un encadré
 * apparent").
 */
export function renewalNotice({ site, isTrial, ...due }: LetterOf<"renewal-notice">): Draft {
  const date = formatMoment(due.date);
  const words = isTrial
    ? { ...letters.renewalNotice, ...letters.renewalNoticeOfTrial }
    : letters.renewalNotice;
  return createDraft(words, {
    values: { site: site.title, amount: formatAmount(due.amount), day: formatDay(due.date) },
    facts: [
      ["amountDue", formatAmount(due.amount)],
      [isTrial ? "trialEnd" : "renewedAt", date],
      cancelFact(site),
    ],
    framed: [isTrial ? "stopTrialBefore" : "stopBefore", date],
    url: due.cancelUrl,
  });
}

/** Notice before the first full debit after a trial. */
export function trialEnding({ site, ...due }: LetterOf<"trial-ending">): Draft {
  const amount = formatAmount(due.amount);
  const date = formatMoment(due.date);
  const contractEnd = due.plannedEnd && formatMoment(due.plannedEnd);
  const words = { ...letters.trialEnding, ...(contractEnd && letters.trialEndingUntilPlannedEnd) };
  return createDraft(words, {
    values: {
      site: site.title,
      amount,
      day: formatDay(due.date),
      contractEnd: contractEnd ?? "",
    },
    facts: [
      ["amountDue", amount],
      ["trialEnd", date],
      ["contractEnd", contractEnd],
      cancelFact(site),
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

export function renewalDelayed({ site, isAsked, ...due }: LetterOf<"renewal-delayed">): Draft {
  const amount = formatAmount(due.amount);
  const graceUntil = formatMoment(due.graceUntil);
  const words = { ...letters.renewalDelayed, ...(isAsked && letters.renewalUndecided) };
  return createDraft(words, {
    values: { site: site.title, amount, graceUntil },
    facts: [
      ["amountDue", amount],
      ["keptUntil", graceUntil],
    ],
    url: due.accountUrl,
  });
}

export function paymentRefused({ site, payUrl, ...due }: LetterOf<"payment-refused">): Draft {
  const amount = formatAmount(due.amount);
  const isPayable = payUrl !== null;
  const words = isPayable
    ? letters.paymentRefused
    : { ...letters.paymentRefused, ...letters.paymentRefusedForGood };
  return createDraft(words, {
    values: { site: site.title, amount },
    facts: [["amountDue", isPayable ? amount : null]],
    url: payUrl ?? site.url,
  });
}

export function renewalDeclined(letter: LetterOf<"renewal-declined">): Draft {
  const { site, needs, retryAt, stopsAt, payUrl, isReminder } = letter;
  const amount = formatAmount(letter.amount);
  const graceUntil = formatMoment(letter.graceUntil);
  const isLast = retryAt === null;
  const text = {
    ...letters.renewalDeclined,
    ...(needs === "card" ? letters.cardOfNoUse : {}),
    ...(isLast ? letters.lastRenewalDeclined : {}),
    ...(needs === "confirmation" ? letters.confirmationNeeded : {}),
    ...(isLast && stopsAt !== null ? letters.renewalDeclinedBeforeStop : {}),
    ...(isReminder ? letters.renewalDeclinedReminder : {}),
  };
  return createDraft(text, {
    values: { site: site.title, amount, graceUntil, stopsAt: stopsAt ? formatDay(stopsAt) : "" },
    facts: [
      ["amountDue", amount],
      ["retryAt", isLast ? null : formatMoment(retryAt)],
      ["keptUntil", graceUntil],
    ],
    url: payUrl,
  });
}

export const creditDue = (letter: LetterOf<"credit-due">): Draft =>
  creditDraft(letters.creditDue, letter, ["creditDueAt", formatDay(letter.dueAt)]);

export const creditPaid = (letter: LetterOf<"credit-paid">): Draft =>
  creditDraft(letters.creditPaid, letter, ["creditPaidOn", formatDay(letter.paidOn)]);

const voidWords = {
  withdrawn: letters.creditVoidWithdrawn,
  refunded: letters.creditVoidRefunded,
  disputed: letters.creditVoidDisputed,
  returned: letters.creditVoidReturned,
  "returned after a stop": letters.creditVoidReturnedStopped,
};

export const creditVoid = (letter: LetterOf<"credit-void">): Draft =>
  creditDraft({ ...letters.creditVoid, ...voidWords[letter.reason] }, letter, null);

function creditDraft(
  words: typeof letters.creditDue,
  credit: CreditFacts,
  when: Labelled | null,
): Draft {
  const { debtor, way, reference, isFormer, url } = credit;
  const amount = formatAmount(credit.amount);
  return createDraft(isFormer ? { ...words, ...letters.creditOfFormer } : words, {
    values: { amount, debtor, way },
    facts: [
      ["credit", amount],
      ["creditDebtor", debtor],
      ...(when ? [when] : []),
      ["reference", reference],
    ],
    url,
  });
}

export function refund({ site, ...refunded }: LetterOf<"refund">): Draft {
  const amount = formatAmount(refunded.amount);
  return createDraft(letters.refund, {
    values: { site: site.title, amount },
    facts: [
      ["amountRefunded", amount],
      ["paidAt", formatMoment(refunded.paidAt)],
      ["contract", refunded.contract && contractWords(refunded.contract)],
      ["refundedAt", formatMoment(refunded.date)],
      ["statement", site.statementDescriptor],
    ],
    url: site.url,
  });
}

export function refundFailed({ site, ...owed }: LetterOf<"refund-failed">): Draft {
  const amount = formatAmount(owed.amount);
  const words = owed.isUndecided ? letters.refundUndecided : {};
  return createDraft(
    { ...letters.refundFailed, ...words },
    {
      values: { site: site.title, amount },
      facts: [
        ["amountOwed", amount],
        ["paidAt", formatMoment(owed.paidAt)],
        ["contract", owed.contract && contractWords(owed.contract)],
      ],
      url: owed.contactUrl,
    },
  );
}

export function repaid({ site, ...paid }: LetterOf<"repaid">): Draft {
  const amount = formatAmount(paid.amount);
  return createDraft(letters.repaid, {
    values: { site: site.title, amount },
    facts: [
      ["amountRefunded", amount],
      ["repaidOn", formatDay(paid.paidOn)],
      ["repaidReference", paid.reference],
      ["paidAt", formatMoment(paid.paidAt)],
      ["contract", paid.contract && contractWords(paid.contract)],
    ],
    url: links.contact(site),
  });
}

export function paymentDisputed({ site, ...disputed }: LetterOf<"payment-disputed">): Draft {
  const amount = formatAmount(disputed.amount);
  return createDraft(letters.paymentDisputed, {
    values: { site: site.title, amount },
    facts: [
      ["amountDisputed", amount],
      ["statement", site.statementDescriptor],
    ],
    url: links.contact(site),
  });
}

export function accessReturned({ site, ...open }: LetterOf<"access-returned">): Draft {
  const { debit } = open;
  const openUntil = formatMoment(open.openUntil);
  const plannedEnd = open.plannedEnd && formatMoment(open.plannedEnd);
  const words = {
    ...letters.accessReturned,
    ...(open.isRefundGivenUp && letters.accessReturnedUnrefunded),
    ...nextWords(debit),
    ...(plannedEnd && letters.receiptUntilPlannedEnd),
  };
  const undecidedAmount = debit?.when === "undecided" ? debit.amount : null;
  return createDraft(withUndecidedDebit(words, undecidedAmount, "paying"), {
    values: {
      site: site.title,
      openUntil,
      amount: debit ? formatAmount(debit.amount) : "",
      // A debit that is due now is the one of the period that follows.
      day: formatDay(
        debit?.when === "later" || debit?.when === "by hand" ? debit.date : open.openUntil,
      ),
      contractEnd: plannedEnd ?? "",
    },
    facts: [
      ["openUntil", openUntil],
      ["contractEnd", plannedEnd],
    ],
    url: links.account(site),
  });
}

/** What is paid after the period that is open again. */
function nextWords(debit: Debit | null) {
  switch (debit?.when) {
    case "now":
    case "later":
      return letters.accessReturnedCharged;
    case "by hand":
      return letters.accessReturnedPaidByHand;
    case "undecided":
      return {};
    case undefined:
      return letters.accessReturnedStopped;
  }
}
