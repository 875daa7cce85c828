import type { DurationUnit, Offer } from "../../../app/contract/subscriptions";
import texts from "./texts.fr.json";

/** Describes the agreed price for the bank's page and the welcome mail. */
export function describeOffer(offer: Offer): string {
  const { name, formula, amountNow, amount, trial, period, creditAmount, nextDebit, due } = offer;
  const plain = offer.trialUsed ? texts.trialUsed : texts.plain;
  const credit =
    creditAmount === undefined ? "" : fill(texts.credit, { credit: euros(creditAmount) });
  return fill(due ? texts.due : trial ? texts.trial : plain, {
    name: name ?? formula,
    amount: euros(amount),
    period: counted(texts.period, period.unit, period.duration),
    date: dateOf(due ? due.date : nextDebit.date),
    trial: trial ? counted(texts.duration, trial.unit, trial.duration) : "",
    trialAmount: euros(amountNow),
    credit,
  });
}

/** For how long an offer binds, and the right to withdraw from it: of a new contract alone. */
export const conditionsOf = ({ due }: Offer): string =>
  fill(texts.conditions, { withdrawal: due ? "" : texts.withdrawal });

const currency = new Intl.NumberFormat("fr-FR", { style: "currency", currency: "EUR" });
const dates = new Intl.DateTimeFormat("fr-FR", { dateStyle: "long", timeZone: "Europe/Paris" });

/** Keeps a date on one line. */
const NO_BREAK = "\u00a0";

const dateOf = (moment: string) => dates.format(new Date(moment)).replaceAll(" ", NO_BREAK);

const euros = (cents: number) => currency.format(cents / 100);

type Counted = Record<DurationUnit, { one: string; other: string }>;

function counted(forms: Counted, unit: DurationUnit, count: number) {
  return fill(count === 1 ? forms[unit].one : forms[unit].other, { count: String(count) });
}

function fill(text: string, values: Record<string, string>) {
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? "");
}
