import { waitsForWithdrawal, type CreditTerms, type Offer } from "../contract/subscriptions";
import { addDuration } from "../contract/calendar";
import type { Duration } from "../contract/periods";
import offer from "../locales/fr/offer.json";
import { formatAmount, formatDate } from "./format";
import { translatorOf } from "./translate";

/** One line of an order: `{ term: "Durée", text: "période de 1 mois …" }`. */
export type OrderLine = { term: string; text: string };

/** An offer in words. */
export type OrderWords = {
  /** What is due today. */
  now: OrderLine;
  /** What stands right beside the button that orders, in the order of article L221-14. */
  lines: OrderLine[];
  /** `9,90 €`, of each period. */
  amount: string;
  /** `par mois` */
  period: string;
  /** `7 jours à 1,00 €` */
  trial?: string;
};

const translate = translatorOf({ offer });

/**
 * The one source of the words of an order: the pages show them, the bank's page too, and the platform
 * keeps them as proof of the contract.
 */
export function orderWords({ amountNow, amount, trial, period, ...rest }: Offer): OrderWords {
  const { name, formula, trialUsed, creditAmount, creditTerms, due, paidByHand } = rest;
  const texts: [term: Term, text: string | false | undefined][] = [
    ["gets", translate("offer", "gets", { name: name ?? formula })],
    ["trial", trial ? trialWords(trial) : trialUsed && translate("offer", "trialUsed")],
    ["due", due !== null && translate("offer", "due", { date: formatDate(due.date) })],
    ["nextDebit", nextWords({ ...rest, period })],
    ["card", due !== null && !paidByHand && translate("offer", "card")],
    ["duration", lengthWords({ ...rest, period })],
    ["withdrawal", due === null && translate("offer", "withdrawal")],
    [
      "credit",
      creditAmount !== undefined &&
        creditWords(creditAmount, creditTerms, trial && !due ? rest.nextDebit?.date : undefined),
    ],
  ];
  return {
    now: { term: translate("offer", "terms.now"), text: formatAmount(amountNow) },
    lines: texts.flatMap(([term, text]) =>
      text ? [{ term: translate("offer", `terms.${term}`), text }] : [],
    ),
    amount: formatAmount(amount),
    period: periodWords(period),
    ...(trial && { trial: trialWords(trial) }),
  };
}

type Term = Exclude<keyof typeof offer.terms, "now">;

/** The words of an order as one text, a line each. */
export function orderText(offer: Offer): string {
  const { now, lines } = orderWords(offer);
  return [now, ...lines].map(({ term, text }) => `${term}${COLON}${text}`).join("\n");
}

/** With the no-break space that French puts before it. */
const COLON = "\u00a0: ";

/** `par mois` */
export const periodWords = ({ duration, unit }: Duration) =>
  translate("offer", `per.${unit}`, { count: duration });

/** `7 jours` */
export const durationWords = ({ duration, unit }: Duration) =>
  translate("offer", unit, { count: duration });

/** The day on which a credit is due, counted from what it follows, in Paris. */
export const creditDay = (from: string, { delayDays }: Pick<CreditTerms, "delayDays">) =>
  addDuration(new Date(from), delayDays, "day");

/**
 * A credit with who pays it, how, when and on which conditions, where the API tells them.
 * @param debitAt the first debit of a whole period, where it is still to come and its day is known
 */
export function creditWords(
  cents: number,
  terms: CreditTerms | undefined,
  debitAt?: string,
): string {
  const amount = formatAmount(cents);
  if (!terms) return amount;
  const { debtor, way, delayDays: count, delayAfter, conditions } = terms;
  const agreed = translate("offer", `creditDelay.${delayAfter}`, { count });
  const delay = waitsForWithdrawal(terms)
    ? translate("offer", "creditAfterWithdrawal", { delay: agreed })
    : debitAt !== undefined && delayAfter === "full-payment"
      ? translate("offer", "creditExpected", {
          delay: agreed,
          date: formatDate(creditDay(debitAt, terms)),
          debit: formatDate(debitAt),
        })
      : agreed;
  return translate("offer", "credit", { amount, debtor, way, delay, conditions });
}

/** Whether the contract ends with the period that is paid. */
export const isLastPeriod = ({ nextDebit, paidByHand, isLast }: Partial<Offer>): boolean =>
  isLast === true || (!nextDebit && !paidByHand);

type Going = Pick<Offer, "nextDebit" | "paidByHand" | "isLast" | "endsAt" | "period">;

function nextWords(going: Going): string {
  const { nextDebit, paidByHand, endsAt, period } = going;
  if (paidByHand && !isLastPeriod(going)) {
    return endsAt === undefined
      ? translate("offer", "nextByHand")
      : translate("offer", "nextByHandUntilEnd", { end: formatDate(endsAt) });
  }
  if (!nextDebit) return translate("offer", "noNext");
  const [amount, date] = [formatAmount(nextDebit.amount), formatDate(nextDebit.date)];
  const debit = { amount, date, period: periodWords(period) };
  return endsAt === undefined
    ? translate("offer", "next", debit)
    : translate("offer", "nextUntilEnd", { ...debit, end: formatDate(endsAt) });
}

function lengthWords(going: Going): string {
  const { paidByHand, endsAt, period } = going;
  const length = durationWords(period);
  if (endsAt === undefined)
    return translate("offer", paidByHand ? "byHand" : "duration", { length });
  const later = paidByHand ? "byHandUntilEnd" : "untilEnd";
  const key = isLastPeriod(going) ? "lastPeriod" : later;
  return translate("offer", key, { length, date: formatDate(endsAt) });
}

function trialWords({ amount, ...length }: NonNullable<Offer["trial"]>) {
  const duration = durationWords(length);
  return amount > 0
    ? translate("offer", "trial", { duration, amount: formatAmount(amount) })
    : translate("offer", "trialFree", { duration });
}
