import type { Duration } from "~/contract/periods";
import type { Offer } from "~/contract/subscriptions";
import { formatAmount, formatDate } from "~/ui/format";
import { translate } from "./i18n.server";

/** An offer in words, ready for the price box (R-10.8; L221-14). */
export type OfferWords = {
  amount: string;
  period: string;
  /** What is charged first. */
  now: string;
  gets: string;
  trial?: string;
  nextDebit: string;
  /** That nothing binds anybody beyond what is paid. */
  duration: string;
  /** Of a new contract: how long one may withdraw from it. */
  withdrawal?: string;
  credit?: string;
  /** Start of the paid period, for a running contract. */
  due?: string;
};

export function offerWords({ amountNow, amount, trial, period, ...offer }: Offer): OfferWords {
  const { trialUsed, creditAmount, nextDebit, due } = offer;
  return {
    amount: formatAmount(amount),
    period: periodWords(period),
    now: formatAmount(amountNow),
    gets: translate("offer", "gets", { name: offer.name ?? offer.formula }),
    ...(trial && { trial: trialWords(trial) }),
    ...(trialUsed && { trial: translate("offer", "trialUsed") }),
    nextDebit: translate("offer", "next", {
      amount: formatAmount(nextDebit.amount),
      date: formatDate(nextDebit.date),
      period: periodWords(period),
    }),
    duration: translate("offer", "duration"),
    ...(!due && { withdrawal: translate("offer", "withdrawal") }),
    ...(creditAmount !== undefined && { credit: formatAmount(creditAmount) }),
    ...(due && { due: translate("offer", "due", { date: formatDate(due.date) }) }),
  };
}

/** `par mois` */
export const periodWords = ({ duration, unit }: Duration) =>
  translate("offer", `per.${unit}`, { count: duration });

function trialWords({ duration: count, unit, amount }: NonNullable<Offer["trial"]>) {
  const duration = translate("offer", unit, { count });
  return amount > 0
    ? translate("offer", "trial", { duration, amount: formatAmount(amount) })
    : translate("offer", "trialFree", { duration });
}
