import * as account from "./account-letters";
import * as contract from "./contract-letters";
import type { Draft } from "./draft";
import { renderHtml } from "./html";
import * as inbound from "./inbound-letters";
import type { Letter } from "./letters";
import * as payment from "./payment-letters";
import * as support from "./support-letters";
import { renderText } from "./text";

export type ComposedMail = { subject: string; text: string; html: string };

/** Composes a letter as plain text and simple HTML. */
export function composeMail(letter: Letter): ComposedMail {
  const draft = draftOf(letter);
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

function draftOf(letter: Letter): Draft {
  switch (letter.kind) {
    case "welcome":
      return payment.welcome(letter);
    case "receipt":
      return payment.receipt(letter);
    case "renewal-notice":
      return payment.renewalNotice(letter);
    case "renewal-declined":
      return payment.renewalDeclined(letter);
    case "renewal-delayed":
      return payment.renewalDelayed(letter);
    case "trial-ending":
      return payment.trialEnding(letter);
    case "card-missing":
      return payment.cardMissing(letter);
    case "card-expiring":
      return payment.cardExpiring(letter);
    case "refund":
      return payment.refund(letter);
    case "payment-disputed":
      return payment.paymentDisputed(letter);
    case "access-returned":
      return payment.accessReturned(letter);
    case "stop-confirmed":
      return contract.stopConfirmed(letter);
    case "subscription-ended":
      return contract.subscriptionEnded(letter);
    case "account-deleted":
      return contract.accountDeleted(letter);
    case "cancellation-receipt":
      return contract.cancellationReceipt(letter);
    case "cancellation-without-effect":
      return contract.cancellationWithoutEffect(letter);
    case "withdrawal-without-effect":
      return contract.withdrawalWithoutEffect(letter);
    case "cancellation-undone":
      return contract.cancellationUndone(letter);
    case "withdrawal-undone":
      return contract.withdrawalUndone(letter);
    case "withdrawal-receipt":
      return contract.withdrawalReceipt(letter);
    case "withdrawal-to-confirm":
      return contract.withdrawalToConfirm(letter);
    case "address-release":
      return account.addressRelease(letter);
    case "password-reset":
      return account.passwordReset(letter);
    case "password-changed":
      return account.passwordChanged(letter);
    case "ticket-received":
      return support.ticketReceived(letter);
    case "support-link":
      return support.supportLink(letter);
    case "answer-arrived":
      return support.answerArrived(letter);
    case "attachment-refused":
      return inbound.attachmentRefused(letter);
    case "reply-refused":
      return inbound.replyRefused(letter);
    case "coach-invited":
      return support.coachInvited(letter);
  }
}
