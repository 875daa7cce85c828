import { z } from "zod/v4";
import { affiliation } from "./accounts";
import { MAX_EXPIRY_YEAR } from "./card";
import { NAME_LENGTH } from "./limits";
import { cents, moment, termsDigest, uid } from "./primitives";
import { PERSON_NAME } from "./person-name";
import { text, writtenLine } from "./text";

export const durationUnit = z.enum(["day", "week", "month", "year"]);
export type DurationUnit = z.infer<typeof durationUnit>;

/** What the delay of a credit is counted from: the order, or the first debit of a whole period. */
export const creditEvent = z.enum(["order", "full-payment"]);

/**
 * The conditions of a credit: who pays it, by which way, how many days after what, and what else it
 * depends on. A formula with credit is not sold without them.
 */
export const creditTerms = z.object({
  debtor: writtenLine(100),
  way: writtenLine(150),
  delayDays: z.int().min(1).max(366),
  delayAfter: creditEvent,
  conditions: writtenLine(500),
});
export type CreditTerms = z.infer<typeof creditTerms>;

/** Days after which the right of withdrawal is over: fourteen, and the rest days that prolong them. */
export const LONGEST_WITHDRAWAL_DAYS = 19;

/** Whether the right of withdrawal may last longer than the delay: the credit is due after both. */
export const waitsForWithdrawal = ({ delayDays }: Pick<CreditTerms, "delayDays">): boolean =>
  delayDays < LONGEST_WITHDRAWAL_DAYS;

/** Empty fields are left out. Amounts are in cents, `creditAmount` is the cashback in cents. */
export const formula = z.object({
  uid,
  name: z.string().optional(),
  amount: cents,
  trialAmount: cents.optional(),
  creditAmount: cents.optional(),
  creditTerms: creditTerms.optional(),
  trialDuration: z.int().min(1).optional(),
  trialDurationUnit: durationUnit.optional(),
  periodDuration: z.int().min(1),
  periodDurationUnit: durationUnit,
});
export type Formula = z.infer<typeof formula>;

export const trafficToken = z.object({ value: z.string(), isValid: z.boolean(), formula: uid });
export type TrafficToken = z.infer<typeof trafficToken>;

const duration = z.object({ duration: z.int().min(1), unit: durationUnit });

/** All terms of an offer in one line. A form carries it, the platform compares it. */
export const offerStatement = z
  .string()
  .max(300)
  .regex(/^[A-Za-z0-9_|-]+$/);

/**
 * What a person would pay now. `at`: time of this offer; `amountNow`: the first charge, 0
 * for a free trial; `trialUsed`: the formula has a trial, which is not sold to the same account twice;
 * `amount`: of each period, the contract's own where there is one; `creditAmount`:
 * what the partner's formula gives back, on the conditions of `creditTerms`; `due`: the next period of
 * a running contract is paid, which begins then (a missed one with the payment), under the contract's own terms; `nextDebit`: null
 * where a stop is planned that ends the contract with the period that is paid, or where `paidByHand`: a payment of the
 * contract is disputed, so that no card is kept and each period is paid on a page; `endsAt`: a planned end of the
 * contract, with that period or a later one; `isLast`: it ends with that period, which `nextDebit` does not tell where
 * periods are paid by hand; `terms`: the version of
 * the terms that is shown with it, and that an order accepts; `termsAccepted`: whether the person who asks
 * accepted that version before, so that they need not be asked again;
 * `description` and `conditions`: the sentences that stand beside the button that orders, and that are
 * kept as proof: price and dates, and what one gets, for how long, with which ways out.
 */
export const offer = z.object({
  at: moment,
  formula: uid,
  name: z.string().optional(),
  trafficToken: text.max(128).optional(),
  amountNow: cents,
  trial: duration.extend({ amount: cents }).nullable(),
  trialUsed: z.boolean().optional(),
  amount: cents,
  period: duration,
  creditAmount: cents.optional(),
  creditTerms: creditTerms.optional(),
  nextDebit: z.object({ date: moment, amount: cents }).nullable(),
  paidByHand: z.literal(true).optional(),
  isLast: z.literal(true).optional(),
  endsAt: moment.optional(),
  due: z.object({ date: moment }).nullable(),
  statement: offerStatement,
  terms: termsDigest.optional(),
  termsAccepted: z.boolean().optional(),
  description: z.string().optional(),
  conditions: z.string().optional(),
});
export type Offer = z.infer<typeof offer>;

/**
 * One of both is needed. A person with a due renewal is offered that renewal, whatever the query
 * says.
 */
export const offerQuery = z.object({
  formula: uid.optional(),
  trafficToken: text.max(128).optional(),
});

/** Why a page may pay a renewal; `expiring` and `missing` come before it is due, too. */
export const dueReason = z.enum(["declined", "confirmation", "card", "expiring", "missing"]);
export type DueReason = z.infer<typeof dueReason>;

/**
 * The credit of a contract, on the conditions of its order. `awaited`: not due yet, from `dueDateTime`
 * where that is known; `void`: it will not be paid, for the `reason`. `lapse`, while the debit from which
 * the delay is counted has not been made: a stop prevents it (`if-stopped`), or a stop already does,
 * unless it is undone (`stopped`). While it has paid a period that is still to come, the deletion of the account
 * gives it back (`if-deleted`). `isHeld`: a dispute or a withdrawal decides whether it will be paid; until then it is not.
 * If a dispute puts the contract on hold before that debit, the credit stays `awaited`, and is held unless `stopped`.
 */
export const credit = creditTerms.extend({
  amount: cents,
  status: z.enum(["awaited", "due", "paid", "void"]),
  dueDateTime: moment.optional(),
  paidDate: z.iso.date().optional(),
  reason: z.enum(["withdrawn", "refunded", "disputed", "ended"]).optional(),
  lapse: z.enum(["if-stopped", "stopped", "if-deleted"]).optional(),
  isHeld: z.literal(true).optional(),
});
export type Credit = z.infer<typeof credit>;

/** `untilDateTime`: the end of the period of which it would be given back. */
export const refundOnDeletion = z.object({ amount: cents, untilDateTime: moment });
export type RefundOnDeletion = z.infer<typeof refundOnDeletion>;

/**
 * What the release of an address would do, as the deletion on the account's own page does: what it would give back,
 * and the credit of the newest contract. `hasUnsignedNotice`: what stopped that contract was declared without sign-in,
 * and undoing it keeps the account. `continuesIfUndone`: the contract then goes on, too. `isWithdrawing`: a withdrawal of it is open, which
 * loses the credit unless it is undone.
 */
export const releasePreview = z.object({
  refundOnDeletion: refundOnDeletion.optional(),
  earlyRefundOnDeletion: cents.optional(),
  credit: credit.optional(),
  hasUnsignedNotice: z.literal(true).optional(),
  continuesIfUndone: z.literal(true).optional(),
  isWithdrawing: z.literal(true).optional(),
});
export type ReleasePreview = z.infer<typeof releasePreview>;

/**
 * `reference`: names the contract in notices; `formulaName`, `amount` and `period`: those of the contract,
 * which a change of its formula does not affect; `expirationDateTime`: end of the paid period;
 * `cancelledDateTime`: a stop was asked for; `graceDateTime`: a renewal was declined, access lasts
 * until then and another card may pay. `holdUntilDateTime`: it has ended because the money of its period was
 * claimed back, and goes on if that returns before. `dueReason`, where a page may pay the renewal: it was refused,
 * its bank wants a confirmation, the card cannot be charged any more, expires before the debit or is
 * missing. `nextTryDateTime`: when the declined renewal is charged again by itself. `isDebitUndecided`: the bank
 * was asked for a debit of the due period, and nobody knows yet whether it succeeds; access lasts until
 * `graceDateTime`, and no page takes a payment. `isDebitDelayed`: the same of a debit for which the bank could not
 * be asked yet; it will be, unless the renewal is stopped. `cardMissing`: no card is known, and nothing is charged; a page takes one in these days.
 * `plannedEndDateTime`: end of the period in which the day of a cancellation falls; the contract is
 * renewed until then. `withdrawal`: a withdrawal that can still be undone; otherwise the refund is made
 * then, or as soon as it is confirmed. `cancellation`: a notice of somebody who was not signed in has
 * stopped it, or will on its day, and may be undone until then. `ownCancellation`: its owner's, sent signed in, has
 * stopped it; the link in its mail undoes it until then. `hasUnsignedNotice`: there is one that its owner may undo at
 * once, signed in. `continuesIfUndone`: such notices alone have stopped it, and it goes on once they are undone.
 * `endIfUndoneDateTime`: it is stopped; once what stopped it is undone, it goes on until this end, which a cancellation for a
 * later day plans. `mayEndUnpaid`: it then ends before, unless somebody pays on a page: its period is unpaid, or no card
 * can be charged. `withdrawableUntilDateTime`: the contract can be withdrawn
 * from and is refunded before this moment, the start of a day. `withdrawalEndedDateTime`: that right ended
 * then, unused. `withdrawnDateTime`: it was withdrawn from, which gives everything back. `refundOnDeletion`: its running period was renewed without the notice that the law asks for, so that
 * its person may end it at any time until `untilDateTime`: the deletion of the account would give `amount` back now.
 * `earlyRefundOnDeletion`: the cents paid early for a period that has not begun, which the deletion gives back, too.
 */
export const subscription = z.object({
  reference: uid.optional(),
  formula: uid.optional(),
  formulaName: z.string().optional(),
  amount: cents,
  period: duration.optional(),
  trialAmount: cents.nullable(),
  credits: cents.nullable(),
  credit: credit.optional(),
  startedDateTime: moment,
  expirationDateTime: moment,
  cancelledDateTime: moment.nullable(),
  endedDateTime: moment.nullable(),
  graceDateTime: moment.optional(),
  holdUntilDateTime: moment.optional(),
  dueReason: dueReason.optional(),
  nextTryDateTime: moment.optional(),
  isDebitUndecided: z.literal(true).optional(),
  isDebitDelayed: z.literal(true).optional(),
  cardMissing: z.object({ payFromDateTime: moment, payUntilDateTime: moment }).optional(),
  plannedEndDateTime: moment.optional(),
  withdrawal: z.object({ receivedDateTime: moment, refundDateTime: moment }).optional(),
  cancellation: z.object({ receivedDateTime: moment, undoDateTime: moment }).optional(),
  ownCancellation: z.object({ receivedDateTime: moment, undoDateTime: moment }).optional(),
  hasUnsignedNotice: z.literal(true).optional(),
  continuesIfUndone: z.literal(true).optional(),
  endIfUndoneDateTime: moment.optional(),
  mayEndUnpaid: z.literal(true).optional(),
  withdrawableUntilDateTime: moment.optional(),
  withdrawalEndedDateTime: moment.optional(),
  withdrawnDateTime: moment.optional(),
  refundOnDeletion: refundOnDeletion.optional(),
  earlyRefundOnDeletion: cents.optional(),
});
export type Subscription = z.infer<typeof subscription>;

export const personName = z
  .string()
  .trim()
  .min(NAME_LENGTH.min)
  .max(NAME_LENGTH.max)
  .regex(PERSON_NAME);

export const creditCard = z.object({
  number: z.string().regex(/^[0-9 ]{12,23}$/),
  month: z.coerce.number().int().min(1).max(12),
  year: z.coerce.number().int().min(2000).max(MAX_EXPIRY_YEAR),
  code: z.string().regex(/^[0-9]{3,4}$/),
});

export type CreditCard = z.infer<typeof creditCard>;
/**
 * The offer and the version of the terms that the form showed. If the present offer differs, nothing is
 * charged. `terms` accepts that version; it may be left out while the current one is accepted already.
 */
export const shownOffer = { offer: offerStatement.optional(), terms: termsDigest.optional() };

/** The partner of an order. Without `affiliation` the one stored with the account counts. */
const partner = {
  trafficToken: text.max(128).optional(),
  affiliation: affiliation.optional(),
};

export const paymentRequest = z.object({
  uid,
  firstname: personName,
  lastname: personName,
  formula: uid,
  creditCard,
  ...partner,
  ...shownOffer,
});

export const subscribeRequest = z.object({ uid, formula: uid, ...partner, ...shownOffer });

const paymentStatus = z.enum(["Success", "Failure", "Pending"]);

export const paymentAnswer = z.object({
  status: z.enum(["Success", "Pending"]),
  redirect: z.url().optional(),
});

export const idempotencyKey = z
  .string()
  .min(8)
  .max(128)
  .regex(/^[A-Za-z0-9_-]+$/);

/** `cashback` selects the variant of the result page after the bank. By default it follows the formula. */
export const paymentLinkRequest = z.object({
  formula: uid,
  ...partner,
  cashback: z.boolean().optional(),
  ...shownOffer,
});

export const paymentLink = z.object({ url: z.url() });

/**
 * Codes of failed payments that the platform sets itself, as each has words of its own. `unknown_card`: the
 * provider has no such card; `authentication_required`: the bank wants the person to confirm; `expired`: the page
 * was left unused; `interrupted`: the bank was never asked; `no-card`: nor was it for a renewal without a card;
 * `late`: accepted after it had been given up, so that it was debited, and goes back.
 */
export const PLATFORM_CODES = [
  "declined",
  "unknown_card",
  "authentication_required",
  "cancelled",
  "expired",
  "interrupted",
  "no-card",
  "late",
] as const;
export type PlatformCode = (typeof PLATFORM_CODES)[number];

/**
 * The newest payment of the token's user. A pending payment waits for the `payer`, who has not finished
 * the bank's page, or for the `bank`, which has not answered; `isDelayed`: for neither, because the bank could not
 * be asked for this renewal yet. Codes of `error` that are not in `PLATFORM_CODES` are the provider's.
 * `isRenewal`: it was charged by itself with the known card; `isLaterPeriod`: it opened no contract, whoever paid.
 */
export const payment = z.object({
  status: paymentStatus,
  awaiting: z.enum(["payer", "bank"]).optional(),
  isDelayed: z.literal(true).optional(),
  formula: uid,
  trafficToken: text.max(128).optional(),
  amount: cents,
  date: moment,
  isRenewal: z.literal(true).optional(),
  isLaterPeriod: z.literal(true).optional(),
  error: z.object({ message: z.string(), code: z.string().optional() }).optional(),
});
export type Payment = z.infer<typeof payment>;

/**
 * `cancelled`: its page was left or closed, so that nothing was charged. `disputed`: the bank of the
 * cardholder claims it back, or has taken it. `delayed`: the bank could not be asked for it yet. A refund that is
 * on its way leaves the state as it is.
 */
export const paymentState = z.enum([
  "paid",
  "pending",
  "delayed",
  "refused",
  "cancelled",
  "partly-refunded",
  "refunded",
  "disputed",
]);
export type PaymentState = z.infer<typeof paymentState>;

/**
 * A payment of the token's user. `receipt`: the number on its receipt, which never changes; `date`: when the
 * bank decided, before that when it was begun; `kind`: it opened a contract, or pays a later period of it;
 * `contract`: its reference; `formulaName`: as ordered; `period`: the one that it paid; `lackedCard`: it is
 * `cancelled` because no card was stored, so that the bank was not asked; `awaiting`: it is `pending` because
 * nobody has finished the bank's page, as far as we know. A refund without `isPending` has been made.
 */
export const listedPayment = z.object({
  uid,
  receipt: z.string(),
  date: moment,
  amount: cents,
  kind: z.enum(["first", "renewal"]),
  state: paymentState,
  lackedCard: z.literal(true).optional(),
  awaiting: z.literal("payer").optional(),
  formulaName: z.string().optional(),
  contract: uid.optional(),
  period: z.object({ startDateTime: moment, endDateTime: moment }).optional(),
  cardHint: z.string().optional(),
  refunds: z.array(
    z.object({ date: moment, amount: cents, isPending: z.literal(true).optional() }),
  ),
});
export type ListedPayment = z.infer<typeof listedPayment>;

/**
 * What a receipt names besides. `vat`: percent and cents within the amount, where the seller says the rate;
 * `statement`: the name on the statement of the card.
 */
export const paymentReceipt = listedPayment.extend({
  client: z.object({ email: z.string(), name: z.string().optional() }),
  seller: z.object({
    imprint: z.string(),
    vatNumber: z.string().optional(),
    email: z.string().optional(),
    phone: z.string().optional(),
  }),
  vat: z.object({ rate: z.number(), beforeTax: cents, tax: cents }).optional(),
  statement: z.string().optional(),
});
export type PaymentReceipt = z.infer<typeof paymentReceipt>;

const announcedTerms = z.object({ digest: termsDigest, appliesDateTime: moment });

/**
 * Versions of the terms of a contract. `termsInForce`: the one that counts, or counted at its end;
 * `sinceDateTime` is left out where it counts from the order on. `newTerms`: announced, and applies
 * then. `declinedTerms`: announced for then, but the contract is stopped before and keeps its own.
 */
export const contractTerms = z.object({
  termsInForce: z.object({ digest: termsDigest, sinceDateTime: moment.optional() }).optional(),
  newTerms: announcedTerms.optional(),
  declinedTerms: announcedTerms.optional(),
});
export type ContractTerms = z.infer<typeof contractTerms>;

/**
 * How the terms of an order were accepted: `by` a tick or call of the registration, of the order itself,
 * or of an order before it; `namedWithOrder`: the order named that version beside its button.
 */
export const termsAcceptance = z.object({
  by: z.enum(["registration", "order", "earlier-order"]),
  dateTime: moment,
  namedWithOrder: z.boolean().optional(),
});
export type TermsAcceptance = z.infer<typeof termsAcceptance>;

/**
 * What proves a contract: `terms` names the version of the order, `termsAcceptance` how it was
 * accepted, left out where nothing tells that, `offer`,
 * `conditions` and `button` are in the words that were shown, `confirmation` is the mail that confirmed
 * it, without `sentDateTime` while it waits and once it could not be delivered (`givenUpDateTime`).
 * `credit`: that of the contract; `others`: the person's other contracts, newest first.
 */
export const contractProof = contractTerms.extend({
  reference: uid,
  orderedDateTime: moment,
  terms: termsDigest.nullable(),
  termsAcceptance: termsAcceptance.optional(),
  offer: z.string(),
  conditions: z.string(),
  button: z.string().nullable(),
  confirmation: z
    .object({
      subject: z.string(),
      text: z.string(),
      createdDateTime: moment,
      sentDateTime: moment.nullable().optional(),
      givenUpDateTime: moment.nullable().optional(),
    })
    .nullable(),
  credit: credit.optional(),
  others: z
    .array(z.object({ reference: uid, orderedDateTime: moment, offer: z.string() }))
    .optional(),
});
export type ContractProof = z.infer<typeof contractProof>;

export const unsubscribing = z.object({
  status: z.enum(["in process", "ended"]),
  endsAt: moment,
});

/** Name on the bank statement. */
export const bankingService = z.object({ name: z.string(), url: z.url() });
