import type { Duration } from "~/contract/periods";
import type { Offer } from "~/contract/subscriptions";
import { formatAmount, formatDate } from "~/ui/format";
import { translate } from "./i18n.server";

/** The texts of an offer for the price box. */
export type OfferWords = {
  amount: string;
  period: string;
  trial?: string;
  /** The first charge. */
  now: string;
  credit?: string;
  nextDebit: string;
  /** Start of the paid period, for a running contract. */
  due?: string;
};

export function offerWords({ amountNow, amount, trial, period, ...offer }: Offer): OfferWords {
  const { creditAmount, nextDebit, due } = offer;
  return {
    amount: formatAmount(amount),
    period: periodWords(period),
    ...(trial && { trial: trialWords(trial) }),
    now: formatAmount(amountNow),
    ...(creditAmount !== undefined && { credit: formatAmount(creditAmount) }),
    nextDebit: translate("offer", "next", {
      amount: formatAmount(nextDebit.amount),
      date: formatDate(nextDebit.date),
    }),
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
