import type { ListedPayment } from "~/contract/subscriptions";
import { formatAmount } from "./format";
import { translate } from "./i18n.server";

/** Null where the payments of the contract could not all be read: then no amount is named. */
type Payments = readonly ListedPayment[] | null;

/** What a withdrawal would give back of the payments of a contract. */
export function refundAheadWords(payments: Payments): string {
  if (payments === null) return translate("withdrawal", "refund.ahead.untold");
  return join(aheadWords(payments), undecidedWords(payments));
}

/** What a withdrawal has given back of them, or is giving back. */
export function refundMadeWords(payments: Payments): string {
  if (payments === null) return translate("withdrawal", "refund.made.untold");
  return join(madeWords(payments), undecidedWords(payments));
}

/** The same of a contract that may not have been withdrawn from. */
export const withdrawnWords = (withdrawn: { payments: Payments } | null): string | null =>
  withdrawn && refundMadeWords(withdrawn.payments);

/** Cents of what was paid that have not gone back, and are not on their way. The bank of a disputed payment decides on its own. */
function leftOf(payments: readonly ListedPayment[]): number {
  return sum(
    payments.filter(isPaid).map(({ amount, refunds }) => amount - sum(amountsOf(refunds))),
  );
}

const isPaid = ({ state }: ListedPayment) => state === "paid" || state === "partly-refunded";

function aheadWords(payments: readonly ListedPayment[]) {
  // The bank of a disputed payment decides on its money.
  if (payments.some(({ state }) => state === "disputed"))
    return translate("withdrawal", "refund.ahead.untold");
  const left = leftOf(payments);
  if (left > 0) {
    const values = { amount: formatAmount(left), card: cardWords(payments.filter(isPaid)) };
    return translate("withdrawal", "refund.ahead.card", values);
  }
  const isFree = payments.length > 0 && payments.every(wasFree);
  return translate("withdrawal", isFree ? "refund.free" : "refund.ahead.untold");
}

function madeWords(payments: readonly ListedPayment[]) {
  const isDisputed = payments.some(({ state }) => state === "disputed");
  // Our refund of a disputed payment waits for its bank, which may give the money back itself.
  const refunded = payments.filter(
    ({ refunds, state }) => refunds.length > 0 && state !== "disputed",
  );
  const refunds = refunded.flatMap((payment) => payment.refunds);
  const pending = sum(amountsOf(refunds.filter(({ isPending }) => isPending)));
  const made = sum(amountsOf(refunds.filter(({ isPending }) => !isPending)));
  const sentences = [
    ...(pending > 0
      ? [
          translate("withdrawal", "refund.made.pending", {
            amount: formatAmount(pending),
            card: cardWords(refunded),
          }),
        ]
      : []),
    ...(made > 0
      ? [translate("withdrawal", "refund.made.done", { amount: formatAmount(made) })]
      : []),
  ];
  // Its refund was given up: the mail about it says so, too.
  const left = leftOf(payments);
  if (left > 0)
    sentences.push(translate("withdrawal", "refund.made.owed", { amount: formatAmount(left) }));
  if (isDisputed) sentences.push(translate("withdrawal", "refund.made.disputed"));
  if (sentences.length > 0) return sentences.join(" ");
  const isFree = payments.length > 0 && payments.every(wasFree);
  return translate("withdrawal", isFree ? "refund.free" : "refund.made.untold");
}

/** A debit that the bank has not decided on is refunded once it succeeds. */
function undecidedWords(payments: readonly ListedPayment[]) {
  const undecided = payments.filter(
    ({ state, awaiting }) => state === "pending" && awaiting !== "payer",
  );
  if (undecided.length === 0) return null;
  const amount = formatAmount(sum(amountsOf(undecided)));
  return translate("debit", "afterEnd.refunded", { amount });
}

const wasFree = ({ amount }: ListedPayment) => amount === 0;

/** Names a card by its last digits, where one card has paid all. */
function cardWords(payments: readonly ListedPayment[]): string {
  const [digits, ...others] = new Set(
    payments.map(({ cardHint }) => /\d{4}$/.exec(cardHint ?? "")?.[0]),
  );
  return digits === undefined || others.length > 0
    ? translate("withdrawal", "refund.card.any")
    : translate("withdrawal", "refund.card.named", { digits });
}

const join = (...sentences: (string | null)[]) => sentences.filter(Boolean).join(" ");
const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0);
const amountsOf = (entries: { amount: number }[]) => entries.map(({ amount }) => amount);
