import { z } from "zod/v4";
import { affiliation } from "./accounts";
import { NAME_LENGTH } from "./limits";
import { cents, knownEmail, moment, uid } from "./primitives";
import { PERSON_NAME } from "./person-name";
import { text } from "./text";

export const durationUnit = z.enum(["day", "week", "month", "year"]);
export type DurationUnit = z.infer<typeof durationUnit>;

/** Empty fields are left out. Amounts are in cents, `creditAmount` is the cashback in cents. */
export const formula = z.object({
  uid,
  name: z.string().optional(),
  amount: cents,
  trialAmount: cents.optional(),
  creditAmount: cents.optional(),
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
 * What somebody would pay now. `at`: when that was found out; `amountNow`: what is charged first, 0
 * for a free trial; `trialUsed`: the formula has a trial, which is not sold to the same account twice;
 * `amount`: of each period, the contract's own where there is one; `creditAmount`:
 * what the partner's formula gives back; `due`: the next period of a running contract is paid, which
 * begins then.
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
  nextDebit: z.object({ date: moment, amount: cents }),
  due: z.object({ date: moment }).nullable(),
  statement: offerStatement,
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
 * `reference`: names the contract in notices; `amount` and `period` are its own, whatever became of
 * its formula; `expirationDateTime`: end of what is paid;
 * `cancelledDateTime`: a stop was asked for; `graceDateTime`: a renewal was declined, access lasts
 * until then and another card may pay. `dueReason`, where a page may pay the renewal: it was refused,
 * its bank wants a confirmation, the card cannot be charged any more, expires before the debit or is
 * missing. `cardMissing`: no card is known, and nothing is charged; a page takes one in these days.
 * `plannedEndDateTime`: a notice cancels it on a later day, with whose period it ends; it is renewed
 * until then. `withdrawal`: one was received and may still be undone; otherwise the money goes back
 * then, or as soon as it is confirmed. `cancellation`: a notice of somebody who was not signed in has
 * stopped it, and may be undone until then.
 */
export const subscription = z.object({
  reference: uid.optional(),
  formula: uid.optional(),
  amount: cents,
  period: duration.optional(),
  trialAmount: cents.nullable(),
  credits: cents.nullable(),
  startedDateTime: moment,
  expirationDateTime: moment,
  cancelledDateTime: moment.nullable(),
  endedDateTime: moment.nullable(),
  graceDateTime: moment.optional(),
  dueReason: dueReason.optional(),
  cardMissing: z.object({ payFromDateTime: moment, payUntilDateTime: moment }).optional(),
  plannedEndDateTime: moment.optional(),
  withdrawal: z.object({ receivedDateTime: moment, refundDateTime: moment }).optional(),
  cancellation: z.object({ receivedDateTime: moment, undoDateTime: moment }).optional(),
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
  year: z.coerce.number().int().min(2000).max(2100),
  code: z.string().regex(/^[0-9]{3,4}$/),
});

export type CreditCard = z.infer<typeof creditCard>;
/** The offer that the form showed. If the present offer differs, nothing is charged. */
const shownOffer = { offer: offerStatement.optional() };

export const paymentRequest = z.object({
  uid,
  firstname: personName,
  lastname: personName,
  formula: uid,
  creditCard,
  trafficToken: text.max(128).optional(),
  ...shownOffer,
});

export const subscribeRequest = z.object({
  uid,
  trafficToken: text.max(128).optional(),
  formula: uid,
  ...shownOffer,
});

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

/**
 * `cashback` selects the variant of the result page after the bank. By default it follows the formula.
 * Without `affiliation` the one stored with the account counts.
 */
export const paymentLinkRequest = z.object({
  formula: uid,
  trafficToken: text.max(128).optional(),
  affiliation: affiliation.optional(),
  cashback: z.boolean().optional(),
  ...shownOffer,
});

export const paymentLink = z.object({ url: z.url() });

/**
 * The newest payment of the token's user. A pending payment waits for the `payer`, who has not finished
 * the bank's page, or for the `bank`, which has not answered. The platform sets the error codes
 * `declined`, `cancelled`, `expired` (page left unused) and `interrupted` (the bank was never asked).
 * All other codes are the provider's.
 */
export const payment = z.object({
  status: paymentStatus,
  awaiting: z.enum(["payer", "bank"]).optional(),
  formula: uid,
  trafficToken: text.max(128).optional(),
  amount: cents,
  date: moment,
  error: z.object({ message: z.string(), code: z.string().optional() }).optional(),
});
export type Payment = z.infer<typeof payment>;

export const unsubscribing = z.object({
  status: z.enum(["in process", "ended"]),
  endsAt: moment,
});

/** Name on the bank statement. */
export const bankingService = z.object({ name: z.string(), url: z.url() });

/** Notice of cancellation or withdrawal. It needs no account. */
export const contractNotice = z.object({
  name: text.min(1).max(100),
  email: knownEmail,
  reference: text.max(100).optional(),
  date: z.iso.date().optional(),
});

/**
 * The receipt never tells whether a contract exists. A repeated notice gets the first receipt. `uid` is
 * the receipt's number. `awaitsConfirmation` depends on the sender only: without a session the refund
 * of a withdrawal waits for the link in the mail, or for the end of the waiting time.
 */
export const contractNoticeReceipt = z.object({
  uid,
  receivedAt: moment,
  awaitsConfirmation: z.boolean(),
});

/** Secret of a mailed link. Opening the link changes nothing, only its form does. */
export const linkSecret = z.object({ token: text.min(1).max(512) });

/**
 * State of the subscription after its notice was undone; repeating the call changes nothing.
 * `undone`: it continues. `stopped`: something else has stopped it. `ended`: it is over all the same.
 */
export const undoing = z.object({ status: z.enum(["undone", "stopped", "ended"]) });
export type Undoing = z.infer<typeof undoing>;

/** `offer`: statement of the debit that was shown; needed where undoing the notice charges at once. */
export const undoRequest = linkSecret.extend(shownOffer);

/**
 * What undoing a notice would make of the subscription; asking changes nothing. `offer`: what the card
 * would be charged at once. `nextDebit`: what it would be charged later. `payUntilDateTime`: nothing
 * would be charged without its person, who has until then to pay on the payment page.
 */
export const undoPreview = undoing.extend({
  offer: offer.optional(),
  nextDebit: z.object({ date: moment, amount: cents }).optional(),
  payUntilDateTime: moment.optional(),
});
export type UndoPreview = z.infer<typeof undoPreview>;

/** `confirmed`: what was paid goes back, access has ended. */
export const withdrawing = z.object({ status: z.literal("confirmed") });
