import type { ListedPayment, Subscription } from "~/contract/subscriptions";
import { formatAmount } from "~/i18n/format";
import { translate } from "~/i18n/i18n.server";
import type { Visit } from "~/session/visit.server";

/** Whether a withdrawal has ended the contract: before, the right to it is open, over, or being used. */
export const isWithdrawn = (subscription: Subscription): boolean =>
  subscription.endedDateTime !== null &&
  subscription.cancelledDateTime !== null &&
  subscription.withdrawal === undefined &&
  subscription.withdrawableUntilDateTime === undefined &&
  subscription.withdrawalEndedDateTime === undefined;

/** What a withdrawal would give back, in words. */
export async function refundAhead(visit: Visit, contract: Subscription): Promise<string> {
  const payments = await findPaymentsOf(visit, contract);
  if (payments === null) return translate("withdrawal", "refund.ahead.untold");
  const paid = payments.filter(({ state }) => state === "paid" || state === "partly-refunded");
  const left = sum(paid.map(({ amount, refunds }) => amount - sum(amountsOf(refunds))));
  return join(aheadWords(payments, paid, left), undecidedWords(payments));
}

/** What a withdrawal has given back, or is giving back, in words. */
export async function refundMade(visit: Visit, contract: Subscription): Promise<string> {
  const payments = await findPaymentsOf(visit, contract);
  if (payments === null) return translate("withdrawal", "refund.made.untold");
  return join(madeWords(payments), undecidedWords(payments));
}

/** All payments of a contract; null where not all of them could be read, so that no sum is true. */
async function findPaymentsOf(visit: Visit, { reference }: Subscription) {
  if (reference === undefined) return null;
  const read = await visit.find("listPayments", { query: {} });
  if (read.kind !== "found" || read.value.page.hasNextPage) return null;
  return read.value.payload.filter(({ contract }) => contract === reference);
}

function aheadWords(payments: ListedPayment[], paid: ListedPayment[], left: number) {
  // The bank of a disputed payment decides on its money.
  if (payments.some(({ state }) => state === "disputed"))
    return translate("withdrawal", "refund.ahead.untold");
  if (left > 0) {
    const values = { amount: formatAmount(left), card: cardWords(paid) };
    return translate("withdrawal", "refund.ahead.card", values);
  }
  const isFree = payments.length > 0 && payments.every(wasFree);
  return translate("withdrawal", isFree ? "refund.free" : "refund.ahead.untold");
}

function madeWords(payments: ListedPayment[]) {
  const refunded = payments.filter(({ refunds }) => refunds.length > 0);
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
  if (sentences.length > 0) return sentences.join(" ");
  const isFree = payments.length > 0 && payments.every(wasFree);
  return translate("withdrawal", isFree ? "refund.free" : "refund.made.untold");
}

/** A debit that the bank has not decided on is refunded once it succeeds. */
function undecidedWords(payments: ListedPayment[]) {
  const undecided = payments.filter(
    ({ state, awaiting }) => state === "pending" && awaiting !== "payer",
  );
  if (undecided.length === 0) return null;
  const amount = formatAmount(sum(amountsOf(undecided)));
  return translate("debit", "afterEnd.refunded", { amount });
}

const wasFree = ({ amount }: ListedPayment) => amount === 0;

/** Names a card by its last digits, where one card has paid all. */
function cardWords(payments: ListedPayment[]): string {
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
