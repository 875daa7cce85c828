import { z } from "zod/v4";
import { cents, knownEmail, linkSecret, moment, uid } from "./primitives";
import { offer, shownOffer, subscription } from "./subscriptions";
import { text, writtenLine } from "./text";

/** Notice of cancellation or withdrawal. It needs no account. */
export const contractNotice = z.object({
  name: writtenLine(100),
  email: knownEmail,
  reference: text.max(100).optional(),
  date: z.iso.date().optional(),
});

/**
 * The receipt never tells whether a contract exists. A word-for-word repetition gets the first receipt. `uid` is
 * the receipt's number. `awaitsConfirmation` depends on the sender only: without a session the refund
 * of a withdrawal waits for the link in the mail, or for the end of the waiting time. `isRepeat`: it repeats a
 * notice word for word, so that another mail may not follow. `seller`: who the notice is addressed to.
 */
export const contractNoticeReceipt = z.object({
  uid,
  receivedAt: moment,
  awaitsConfirmation: z.boolean(),
  isRepeat: z.literal(true).optional(),
  seller: z.string().optional(),
});

/**
 * The own contract as a cancellation would leave it; the call changes nothing. `debitCount`: how many
 * periods are still debited until the planned end.
 */
export const cancellationPreview = subscription.extend({ debitCount: z.int().min(0) });
export type CancellationPreview = z.infer<typeof cancellationPreview>;

/**
 * State of the subscription after its notice was undone; repeating the call changes nothing.
 * `undone`: it continues. `stopped`: something else has stopped it. `ended`: it is over all the same,
 * or its money went back. `over`: the withdrawal is undone, of a contract that was over and stays so.
 * `onHold`: it rests because a payment was given back or is disputed; if that money returns before
 * `holdUntilDateTime`, it goes on, and `renewalAmount` is due then. `plannedEndDateTime`: it continues until then, because another notice plans its end. `payUntilDateTime`:
 * the card is not charged, and the person can pay on the payment page until then. `isCharged`, where the call
 * named an offer: whether that is charged now. A repetition charges nothing.
 */
export const undoing = z.object({
  status: z.enum(["undone", "stopped", "ended", "over", "onHold"]),
  isCharged: z.boolean().optional(),
  plannedEndDateTime: moment.optional(),
  payUntilDateTime: moment.optional(),
  holdUntilDateTime: moment.optional(),
  renewalAmount: cents.optional(),
});
export type Undoing = z.infer<typeof undoing>;

/** `offer`: statement of the debit that was shown; needed where undoing the notice charges at once. */
export const undoRequest = linkSecret.extend(shownOffer);

/**
 * The effect of undoing a notice; the call changes nothing. `offer`: the charge that would follow at once.
 * `nextDebit`: the charge that would follow later. `undecidedAmount`: a debit that the bank was asked for before
 * and decides on, whether the notice is undone or not; undoing asks for no other one. `isUndecidedOwn`: the person
 * paid it themselves, so that nothing presents it again. `creditAmount`: the credit that is awaited again.
 * `liftedEndDateTime`: the end that the notice had planned, and that is off once it is undone. `refundDateTime`:
 * when a withdrawal of the contract is refunded that is neither confirmed nor undone.
 * `closed`: the link has no effect any more, because its notice was undone, because the contract was
 * withdrawn from (by this notice or another one), or because its time is over. `accountDeleted`: its
 * account is gone, so that no page of the account can be shown.
 */
export const undoPreview = undoing.extend({
  offer: offer.optional(),
  nextDebit: z.object({ date: moment, amount: cents }).optional(),
  undecidedAmount: cents.optional(),
  isUndecidedOwn: z.literal(true).optional(),
  creditAmount: cents.optional(),
  liftedEndDateTime: moment.optional(),
  refundDateTime: moment.optional(),
  closed: z.enum(["undone", "withdrawn", "expired"]).optional(),
  accountDeleted: z.literal(true).optional(),
});
export type UndoPreview = z.infer<typeof undoPreview>;

/** The signed-in owner takes back what was declared without signing in. */
export const undeclaring = z.object(shownOffer);

/**
 * `confirmed`: the payments are refunded, and access has ended. `receipt`: the declaration as its mail quotes it,
 * with the contract's reference; what was typed is left out once it is erased. `lostCredit`: cents of a credit that
 * is not owed any more.
 */
export const withdrawing = z.object({
  status: z.literal("confirmed"),
  receipt: z
    .object({
      receivedAt: moment,
      contract: uid,
      seller: z.string(),
      name: z.string().optional(),
      email: z.string().optional(),
      reference: z.string().optional(),
      lostCredit: cents.optional(),
    })
    .optional(),
});
export type ConfirmedWithdrawal = z.infer<typeof withdrawing>["receipt"];
