import * as account from "./account-letters";
import * as contract from "./contract-letters";
import type { Draft } from "./draft";
import { renderHtml } from "./html";
import * as inbound from "./inbound-letters";
import type { Letter } from "./letters";
import * as notice from "./notice-letters";
import * as payment from "./payment-letters";
import * as support from "./support-letters";
import { renderText } from "./text";

export type ComposedMail = { subject: string; text: string; html: string };

/** Composes a letter as plain text and simple HTML. */
export function composeMail(letter: Letter): ComposedMail {
  const draft = draftOf(letter.kind, letter);
  return {
    subject: draft.subject
      .split(/[\r\n]+/)
      .map((line) => line.trim())
      .filter(Boolean)
      .join(" "),
    text: renderText(draft, letter.site),
    html: renderHtml(draft, letter.site),
  };
}

type LetterByKind = { [L in Letter as L["kind"]]: L };

/** A composer for each kind of letter. */
const COMPOSERS: { [K in keyof LetterByKind]: (letter: LetterByKind[K]) => Draft } = {
  welcome: payment.welcome,
  "terms-changed": contract.termsChanged,
  "terms-kept": contract.termsKept,
  receipt: payment.receipt,
  "renewal-notice": payment.renewalNotice,
  "renewal-declined": payment.renewalDeclined,
  "renewal-delayed": payment.renewalDelayed,
  "payment-refused": payment.paymentRefused,
  "trial-ending": payment.trialEnding,
  "card-missing": payment.cardMissing,
  "card-expiring": payment.cardExpiring,
  "credit-due": payment.creditDue,
  "credit-paid": payment.creditPaid,
  "credit-void": payment.creditVoid,
  refund: payment.refund,
  "refund-failed": payment.refundFailed,
  repaid: payment.repaid,
  "payment-disputed": payment.paymentDisputed,
  "access-returned": payment.accessReturned,
  "stop-confirmed": contract.stopConfirmed,
  "planned-stop": contract.plannedStop,
  "subscription-ended": contract.subscriptionEnded,
  "account-deleted": contract.accountDeleted,
  "account-idle": account.accountIdle,
  "cancellation-receipt": notice.cancellationReceipt,
  "notice-covered": notice.noticeCovered,
  "cancellation-without-effect": notice.cancellationWithoutEffect,
  "withdrawal-without-effect": notice.withdrawalWithoutEffect,
  "cancellation-noted": notice.noticeNoted,
  "withdrawal-noted": notice.noticeNoted,
  "cancellation-undone": notice.cancellationUndone,
  "withdrawal-undone": notice.withdrawalUndone,
  "withdrawal-receipt": notice.withdrawalReceipt,
  "withdrawal-to-confirm": notice.withdrawalToConfirm,
  "address-release": account.addressRelease,
  "password-reset": account.passwordReset,
  "password-changed": account.passwordChanged,
  "email-changed": account.emailChanged,
  "email-change": account.emailChange,
  "email-taken": account.emailTaken,
  "email-change-asked": account.emailChangeAsked,
  "ticket-received": support.ticketReceived,
  "support-link": support.supportLink,
  "answer-arrived": support.answerArrived,
  "attachment-refused": inbound.attachmentRefused,
  "reply-refused": inbound.replyRefused,
  "coach-invited": support.coachInvited,
};

/** The kind is a parameter of its own, because it ties the type of the letter to that of its composer. */
const draftOf = <K extends keyof LetterByKind>(kind: K, letter: LetterByKind[K]): Draft =>
  COMPOSERS[kind](letter);
