import { isWithdrawn, listsPayments } from "~/api/contract-payments.server";
import { NONE, type ReadResult } from "~/api/read-result";
import { findSubscription } from "~/api/subscription.server";
import { config } from "~/config.server";
import type { Subscription } from "~/contract/subscriptions";
import { formatAmount, formatDate, formatDateTime } from "~/i18n/format";
import { translate } from "~/i18n/i18n.server";
import {
  creditWordsOf,
  subscriptionWords,
  withoutWithdrawal,
} from "~/i18n/subscription-words.server";
import type { KeptReceipt } from "~/session/data";
import { isOfContract } from "~/session/kept-receipt.server";
import type { Visit } from "~/session/visit.server";
import type { KindName } from "./kinds";
import { endWords, lateWords, refundOf } from "./own-contract.server";

type Sentence = { text: string; isStrong?: true };

export type ReceiptWords = {
  heading: string;
  received: string;
  tone: "success" | "warning";
  /** What follows from the declaration. */
  sentences: Sentence[];
  declared: {
    words: string;
    seller: string;
    facts: { term: string; value: string | null }[];
  };
  /** For somebody who did not declare it, or has thought better of it. */
  special: { title: string; sentences: string[] } | null;
  /** Says that nothing was read since the notice came; null where it was. */
  moment: string | null;
  /** Whether the page of payments has what the receipt refers to. */
  hasPayments: boolean;
};

/**
 * A receipt in words. It tells nobody but the contract's signed-in owner whether a contract exists, and them what
 * has become of it since.
 */
export async function describeReceipt(
  visit: Visit,
  kind: KindName,
  receipt: KeptReceipt,
): Promise<ReceiptWords> {
  const read = isOfContract(receipt) ? await findSubscription(visit) : NONE;
  const own = read.kind === "found" ? read.value : null;
  // A withdrawal counts, and is refunded, also without its confirmation.
  const awaits = receipt.awaitsConfirmation === true && kind === "cancellation";
  const isLate = receipt.lateSince !== undefined;
  const isUndone = kind === "cancellation" && own !== null && !isStopped(own);
  // No link brings a contract back that was withdrawn from.
  const isRefunded = kind === "cancellation" && own !== null && isWithdrawn(own);
  const confirmed = receipt.isConfirmed === true;
  return {
    heading: translate(kind, "receipt.heading"),
    received: translate(kind, "receipt.received", { date: formatDateTime(receipt.receivedAt) }),
    tone: awaits || isUndone || isLate ? "warning" : "success",
    sentences: await sentencesOf(visit, kind, receipt, read),
    declared: {
      words: translate("declaration", kind, { site: config().siteTitle }),
      seller: receipt.declared?.seller ?? config().siteTitle,
      facts: [...factsOf(kind, receipt), ...creditFacts(receipt, own)],
    },
    moment: own === null ? translate("cancellation", "receipt.moment") : null,
    special: isUndone || isRefunded || confirmed ? null : specialOf(kind, receipt),
    hasPayments: receipt.isWithdrawn === true && (await listsPayments(visit)),
  };
}

/** A contract that is over was not given back to its owner since. */
const isStopped = ({ cancelledDateTime, endedDateTime, plannedEndDateTime }: Subscription) =>
  cancelledDateTime !== null || endedDateTime !== null || plannedEndDateTime !== undefined;

async function sentencesOf(
  visit: Visit,
  kind: KindName,
  receipt: KeptReceipt,
  read: ReadResult<Subscription>,
): Promise<Sentence[]> {
  const own = read.kind === "found" ? read.value : null;
  const mailed = translate(
    "cancellation",
    receipt.isRepeat ? "receipt.repeated" : "receipt.mailed",
  );
  if (receipt.isConfirmed)
    return [strong(translate("withdrawal", "receipt.confirmed")), plain(mailed)];
  if (receipt.isWithdrawn) {
    const isTold = own !== null && isWithdrawn(own);
    const refund = await refundOf(visit, isTold ? own : null);
    return [plain(translate("withdrawal", "receipt.ended")), strong(refund), plain(mailed)];
  }
  if (receipt.lateSince !== undefined) {
    const late = translate("withdrawal", "receipt.late", { date: receipt.lateSince });
    return [strong(late), ...(own ? [plain(lateWords(own).effect)] : []), plain(mailed)];
  }
  if (receipt.accessEnd !== undefined)
    return [plain(endOf(receipt, receipt.accessEnd, own)), plain(mailed)];
  if (kind === "withdrawal" && receipt.awaitsConfirmation) return awaitedSentences(receipt);
  const sent = receipt.awaitsConfirmation ? "receipt.awaits" : "receipt.text";
  const text = translate(kind, sent);
  return receipt.isRepeat ? [plain(mailed)] : [plain(text)];
}

function awaitedSentences({ isRepeat }: KeptReceipt): Sentence[] {
  return [
    strong(translate("withdrawal", "receipt.open")),
    plain(translate("withdrawal", "receipt.then")),
    plain(translate("withdrawal", "receipt.otherwise")),
    ...(isRepeat ? [plain(translate("cancellation", "receipt.repeated"))] : []),
  ];
}

/** The end of the contract as it is now: the link in the mail, or another browser, may have undone the cancellation. */
function endOf(
  { debits = 0, declared }: KeptReceipt,
  accessEnd: string,
  own: Subscription | null,
): string {
  if (own === null) return translate("cancellation", "receipt.ownThen", { date: accessEnd });
  if (!isStopped(own)) return translate("cancellation", "receipt.undone");
  if (own.endedDateTime !== null)
    return translate("cancellation", "receipt.closed", { date: formatDate(own.endedDateTime) });
  const until = subscriptionWords(withoutWithdrawal(own)).until;
  // They were counted for the end that was planned then.
  const debitCount = until === accessEnd ? debits : 0;
  const end = endWords({ ...own, debitCount }, { date: declared?.date });
  if (end.kind === "found") return end.value;
  const date = until ?? accessEnd;
  return translate("cancellation", "receipt.own", { date });
}

function factsOf(kind: KindName, { declared = {} }: KeptReceipt) {
  const { name, email, reference, date, contract } = declared;
  const label = (field: "reference" | "date") => translate("cancellation", `fields.${field}.label`);
  return [
    { term: translate(kind, "fields.name.label"), value: name ?? null },
    { term: translate(kind, "fields.email.label"), value: email ?? null },
    { term: label("reference"), value: contract ?? reference ?? null },
    { term: label("date"), value: date ? formatDate(date) : null },
  ];
}

/** What becomes of the cashback, which a withdrawal loses and a cancellation may lose (terms, 5 bis). */
function creditFacts({ lostCredit }: KeptReceipt, own: Subscription | null) {
  const term = translate("account", "credits");
  if (lostCredit !== undefined) {
    const state = translate("account", "credit.void.withdrawn");
    return [{ term, value: `${formatAmount(lostCredit)}, ${state}` }];
  }
  if (!own?.credit) return [];
  return [
    { term, value: `${formatAmount(own.credit.amount)}, ${creditWordsOf(own.credit).state}` },
  ];
}

function specialOf(kind: KindName, receipt: KeptReceipt): ReceiptWords["special"] {
  if (kind === "cancellation") {
    if (receipt.awaitsConfirmation) return null;
    const title = receipt.accessEnd ? "changed" : "title";
    return {
      title: translate("cancellation", `receipt.special.${title}`),
      sentences: [
        translate("cancellation", "receipt.special.undo"),
        translate("cancellation", "receipt.special.noLink"),
      ],
    };
  }
  if (!receipt.awaitsConfirmation) return null;
  const mail = translate("withdrawal", "receipt.special.mail");
  return {
    title: translate("withdrawal", "receipt.special.title"),
    sentences: [
      ...(receipt.isRepeat ? [] : [mail]),
      translate("withdrawal", "receipt.special.debit"),
      translate("withdrawal", "receipt.special.undo"),
    ],
  };
}

const plain = (text: string): Sentence => ({ text });
const strong = (text: string): Sentence => ({ text, isStrong: true });
