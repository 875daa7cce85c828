import { describe, expect, it } from "vitest";
import catalogue from "../../server/platform/mail/letters.fr.json";
import { limitedLetters } from "../../server/platform/mail/limited-letters";
import { LETTERS } from "../support/letters";
import { importsOf, read, sourcesBelow } from "./sources";

/**
 * Letters that are always sent, each with the reason: a change in a person's name, or its undo
 * link.
 */
const ESSENTIAL: Record<string, string> = {
  welcome: "a contract, and how to withdraw from it",
  "terms-changed": "terms that will count for a contract, told before they do",
  "terms-kept": "a change that was announced and is off",
  receipt: "money that was taken",
  "credit-due": "money that is owed to the person",
  "credit-paid": "money that was paid to the person",
  "credit-void": "money that is not owed to the person any more",
  "renewal-notice": "the law's last moment to stop (L215-1)",
  "renewal-declined": "access that is running out, and how to keep it",
  "payment-refused": "a payment that failed after its page was left",
  "renewal-delayed": "access that is kept while a debit is late",
  "trial-ending": "the last moment before a full debit",
  "card-expiring": "a debit that the card will not take, and how to give another",
  "card-missing": "access that will end, and how to keep it",
  "payment-disputed": "access that is over",
  "access-returned": "access that is open again",
  refund: "money that went back",
  "refund-failed": "money that is owed to the person",
  repaid: "money that was paid to the person",
  "stop-confirmed": "a renewal that was stopped",
  "planned-stop": "a contract that is stopped from that day, and until when that can be undone",
  "subscription-ended": "access that is over",
  "account-deleted": "a profile that is gone",
  "account-idle": "the last moment to keep a profile",
  "cancellation-receipt": "a contract that was stopped, and how to undo it",
  "notice-covered": "a declaration that counts, and who undoes it",
  "cancellation-undone": "a contract that goes on",
  "withdrawal-receipt": "a contract that is undone",
  "withdrawal-to-confirm": "a contract that was stopped, and how to undo or confirm it",
  "withdrawal-undone": "a contract that goes on",
  "password-changed": "a password that was changed, and how to take the account back",
  "email-change": "the way to a change that was asked for; a limit refuses to ask",
  "email-taken": "why a change that was asked for is not made; a limit refuses to ask",
  "email-change-asked": "a change that is asked for, and how to void it; a limit refuses to ask",
  "email-changed": "another mailbox of the account, told at both",
  "answer-arrived": "an answer the person may learn of in no other way",
  "coach-invited": "a role that was given, and how to use it",
};

/** Variants of a letter's text, by the letter that they belong to. */
const VARIANTS: Record<string, string> = {
  receiptBeforeDebit: "receipt",
  receiptUntilPlannedEnd: "receipt",
  receiptUnannounced: "receipt",
  receiptOfFreeTrial: "receipt",
  receiptOfFreeTrialBeforeDebit: "receipt",
  renewalNoticeOfTrial: "renewal-notice",
  trialEndingUntilPlannedEnd: "trial-ending",
  creditOfFormer: "credit-due",
  creditVoidWithdrawn: "credit-void",
  creditVoidRefunded: "credit-void",
  creditVoidDisputed: "credit-void",
  creditVoidReturned: "credit-void",
  creditVoidReturnedStopped: "credit-void",
  emailChangedFormer: "email-changed",
  emailChangedEarlier: "email-changed",
  emailChangedOfContract: "email-changed",
  emailChangedOfContractFormer: "email-changed",
  renewalDeclinedBeforeStop: "renewal-declined",
  paymentRefusedForGood: "payment-refused",
  addressReleaseUndoable: "address-release",
  passwordChosen: "password-changed",
  plannedStopUndoable: "planned-stop",
  unannouncedPeriod: "stop-confirmed",
  stopConfirmedWithdrawing: "stop-confirmed",
  stopConfirmedOnHold: "stop-confirmed",
  stopConfirmedByLetter: "stop-confirmed",
  stopConfirmedBesideOther: "stop-confirmed",
  withdrawable: "stop-confirmed",
  withdrawableStill: "cancellation-undone",
  plannedStopOnHold: "planned-stop",
  creditLostByStop: "stop-confirmed",
  creditLostByOther: "cancellation-receipt",
  debitUndecided: "stop-confirmed",
  debitUndecidedStopped: "stop-confirmed",
  debitUndecidedPaying: "cancellation-undone",
  debitUndecidedRefunded: "subscription-ended",
  debitUndecidedWithdrawn: "withdrawal-to-confirm",
  creditKept: "stop-confirmed",
  creditLost: "subscription-ended",
  endedByLetter: "subscription-ended",
  endedRenewedSince: "subscription-ended",
  creditLostUnlessUndone: "subscription-ended",
  lastRenewalDeclined: "renewal-declined",
  cardOfNoUse: "renewal-declined",
  cardMissingWhenDue: "card-missing",
  cardMissingLast: "card-missing",
  confirmationNeeded: "renewal-declined",
  renewalDeclinedReminder: "renewal-declined",
  accountDeletedRefunded: "account-deleted",
  accountDeletedUnannounced: "account-deleted",
  accountDeletedRest: "account-deleted",
  accountDeletedWithdrawable: "account-deleted",
  accountDeletedPaying: "account-deleted",
  accountDeletedPending: "account-deleted",
  endedNotCharged: "subscription-ended",
  endedUndecided: "subscription-ended",
  endedBeforeDecision: "subscription-ended",
  renewalUndecided: "renewal-delayed",
  termsReplaced: "terms-changed",
  termsToldAgain: "terms-changed",
  endedWithRefund: "subscription-ended",
  endedWithdrawn: "subscription-ended",
  keptForRefund: "subscription-ended",
  keptForDispute: "subscription-ended",
  keptForPayment: "subscription-ended",
  keptForWithdrawal: "subscription-ended",
  keptForCancellation: "subscription-ended",
  endedReturned: "subscription-ended",
  endedOnHold: "subscription-ended",
  endedUnpaid: "subscription-ended",
  cancellationPlanned: "cancellation-receipt",
  profileAfterEnd: "cancellation-receipt",
  cancellationOver: "cancellation-receipt",
  cancellationStopped: "cancellation-receipt",
  cancellationPlannedStopped: "cancellation-receipt",
  cancellationPlannedStoppedUnpaid: "cancellation-receipt",
  cancellationPlannedSooner: "cancellation-receipt",
  cancellationPlannedOnHold: "cancellation-receipt",
  cancellationPlannedUnpaid: "cancellation-receipt",
  cancellationUndoableAfterEnd: "cancellation-receipt",
  withdrawalCovered: "notice-covered",
  debitsAheadOne: "cancellation-receipt",
  debitsAheadSeveral: "cancellation-receipt",
  creditLostByWithdrawal: "withdrawal-receipt",
  creditLostOnceWithdrawn: "withdrawal-to-confirm",
  creditReclaimable: "withdrawal-receipt",
  severalUndone: "cancellation-undone",
  undoneUntilPlanned: "cancellation-undone",
  undoneOnHold: "cancellation-undone",
  undoneOnHoldStopped: "cancellation-undone",
  withdrawalToConfirmStopped: "withdrawal-to-confirm",
  endsByWithdrawal: "cancellation-receipt",
  otherContracts: "cancellation-receipt",
  cancellationRepeated: "cancellation-without-effect",
  creditAwaitedAgain: "cancellation-undone",
  orderUndecided: "cancellation-without-effect",
  undoneButStopped: "cancellation-undone",
  undoneChargedLater: "cancellation-undone",
  undoneChargedNow: "cancellation-undone",
  undoneChargedOnce: "cancellation-undone",
  undonePaidByHand: "cancellation-undone",
  withdrawalTooLate: "withdrawal-without-effect",
  withdrawalAlreadyOpen: "withdrawal-without-effect",
  withdrawalLateChargedLater: "withdrawal-without-effect",
  withdrawalLateChargedNow: "withdrawal-without-effect",
  withdrawalLateChargedOnce: "withdrawal-without-effect",
  withdrawalLatePaidByHand: "withdrawal-without-effect",
  withdrawalLateStopped: "withdrawal-without-effect",
  withdrawalLateOver: "withdrawal-without-effect",
  withdrawalLateUndecided: "withdrawal-without-effect",
  withdrawalLateOnHold: "withdrawal-without-effect",
  withdrawalOfFreeTrial: "withdrawal-receipt",
  withdrawalOfUndecided: "withdrawal-receipt",
  withdrawalPosted: "withdrawal-receipt",
  withdrawalPostedRefund: "withdrawal-receipt",
  withdrawalWithoutRefund: "withdrawal-receipt",
  withdrawalRefundFailed: "withdrawal-without-effect",
  withdrawalRefundUndecided: "withdrawal-without-effect",
  withdrawalRepaid: "withdrawal-without-effect",
  withdrawalRepaidInPart: "withdrawal-without-effect",
  refundUndecided: "refund-failed",
  accessReturnedCharged: "access-returned",
  accessReturnedPaidByHand: "access-returned",
  accessReturnedStopped: "access-returned",
  accessReturnedUnrefunded: "access-returned",
  withdrawalToConfirmOver: "withdrawal-to-confirm",
  cancellationUndoneOver: "cancellation-undone",
  withdrawalUndoneOver: "withdrawal-undone",
  answerByMail: "answer-arrived",
  answerClosing: "answer-arrived",
  answerLocking: "answer-arrived",
  answerToRequest: "answer-arrived",
  answerClosingRequest: "answer-arrived",
  answerLockingRequest: "answer-arrived",
  answerShut: "answer-arrived",
  attachmentAlone: "attachment-refused",
  replyFromElsewhere: "reply-refused",
  replyNotSubscribed: "reply-refused",
  replyTooLate: "reply-refused",
  requestTooLate: "reply-refused",
  replyUnreadable: "reply-refused",
  replyTooMany: "reply-refused",
  replyTooBig: "reply-refused",
  coachInvitedAgain: "coach-invited",
  coachInvitedAnew: "coach-invited",
};

const OUTBOX = "server/platform/mail/outbox";

const kinds = [...new Set(LETTERS.map(({ kind }) => kind as string))].sort();
const keyOf = (kind: string) => kind.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

describe("a letter", () => {
  it("is always sent, or declares why not", () => {
    const declared = [...Object.keys(ESSENTIAL), ...Object.keys(limitedLetters)];
    expect(declared.sort()).toEqual(kinds);
  });

  it("is sent by something", () => {
    const senders = sourcesBelow("server/platform")
      .filter((file) => !file.startsWith("server/platform/mail/"))
      .map(read)
      .join("\n");
    // The letters of a notice are named by its kind, as `${kind}-noted`.
    const names = (kind: string) => [`kind: "${kind}"`, `}${kind.replace(/^[^-]+/, "")}\``];
    const isSent = (kind: string) => names(kind).some((name) => senders.includes(name));
    expect(kinds.filter((kind) => !isSent(kind))).toEqual([]);
  });

  it("of the catalogue has a declared kind", () => {
    const known = [...kinds.map(keyOf), ...Object.keys(VARIANTS)];
    expect(Object.keys(catalogue.letters).sort()).toEqual(known.sort());
    expect(kinds).toEqual(expect.arrayContaining(Object.values(VARIANTS)));
  });

  it("is limited by a single function", () => {
    const limiting = sourcesBelow("server/platform").filter((file) => {
      const imports = importsOf(file);
      const writes = imports.includes(OUTBOX) || file.startsWith("server/platform/mail/");
      return writes && imports.includes("server/platform/limits/limit");
    });
    const swallowing = limiting.filter((file) =>
      /catch[^]*instanceof (?:Refusal|LimitExceeded)/.test(read(file)),
    );
    expect(swallowing).toEqual(["server/platform/mail/limited-letters.ts"]);
  });
});
