import { addDuration } from "~/contract/calendar";
import type { DurationUnit, Formula } from "~/contract/subscriptions";
import { formatAmount, formatDate } from "~/ui/format";
import { translate } from "./i18n.server";

/** A formula in words, ready for the price box. */
export type Offer = { amount: string; period: string; trial?: string; nextDebit: string };

/** `renewal`: the period is paid in full, a trial is over. */
export function offerOf(formula: Formula, { renewal = false, now = new Date() } = {}): Offer {
  const { amount, periodDuration, periodDurationUnit, trialDuration, trialDurationUnit } = formula;
  const hasTrial = !renewal && trialDuration !== undefined && trialDurationUnit !== undefined;
  const first = hasTrial
    ? addDuration(now, trialDuration, trialDurationUnit)
    : addDuration(now, periodDuration, periodDurationUnit);
  return {
    amount: formatAmount(amount),
    period: translate("offer", `per.${periodDurationUnit}`, { count: periodDuration }),
    nextDebit: translate("offer", "next", {
      amount: formatAmount(amount),
      date: formatDate(first),
    }),
    ...(hasTrial && { trial: trialWords(formula, trialDuration, trialDurationUnit) }),
  };
}

function trialWords({ trialAmount }: Formula, count: number, unit: DurationUnit) {
  const duration = translate("offer", unit, { count });
  return trialAmount
    ? translate("offer", "trial", { duration, amount: formatAmount(trialAmount) })
    : translate("offer", "trialFree", { duration });
}
