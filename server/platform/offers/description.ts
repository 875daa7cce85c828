import { addDuration } from "../../../app/contract/calendar";
import type { DurationUnit, Formula } from "../../../app/contract/subscriptions";
import { firstPeriodEnd } from "./periods";
import texts from "./texts.fr.json";

/** What one agrees to pay, in the words shown beside the order button. */
export function describeOffer(formula: Formula, now: Date, calendar = addDuration): string {
  const { name, uid, amount, trialAmount, periodDuration, periodDurationUnit } = formula;
  const { trialDuration, trialDurationUnit } = formula;
  const hasTrial = trialDuration !== undefined && trialDurationUnit !== undefined;
  return fill(hasTrial ? texts.trial : texts.plain, {
    name: name ?? uid,
    amount: euros(amount),
    period: counted(texts.period, periodDurationUnit, periodDuration),
    date: dates.format(firstPeriodEnd(now, formula, calendar)).replaceAll(" ", NO_BREAK),
    trial: hasTrial ? counted(texts.duration, trialDurationUnit, trialDuration) : "",
    trialAmount: euros(trialAmount ?? amount),
  });
}

/** What one agrees to pay where a renewal was declined: by another card, which is then charged. */
export function describeDue(formula: Formula, amount: number, periodStart: Date): string {
  const { name, uid, periodDuration, periodDurationUnit } = formula;
  return fill(texts.due, {
    name: name ?? uid,
    amount: euros(amount),
    period: counted(texts.period, periodDurationUnit, periodDuration),
    date: dates.format(periodStart).replaceAll(" ", NO_BREAK),
  });
}

const currency = new Intl.NumberFormat("fr-FR", { style: "currency", currency: "EUR" });
const dates = new Intl.DateTimeFormat("fr-FR", { dateStyle: "long", timeZone: "Europe/Paris" });

/** A date stays on one line. */
const NO_BREAK = "\u00a0";

const euros = (cents: number) => currency.format(cents / 100);

type Counted = Record<DurationUnit, { one: string; other: string }>;

function counted(forms: Counted, unit: DurationUnit, count: number) {
  return fill(count === 1 ? forms[unit].one : forms[unit].other, { count: String(count) });
}

function fill(text: string, values: Record<string, string>) {
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? "");
}
