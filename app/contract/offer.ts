import { addDuration, startOfDay } from "./calendar";
import { dayOf } from "./day";
import {
  firstPeriodEnd,
  periodEndAfter,
  periodPaidAt,
  periodsOver,
  type Calendar,
  type Duration,
  type Due,
} from "./periods";
import type { Formula, Offer } from "./subscriptions";

/** A running contract whose next period a page may pay. */
export type DueContract = Due & {
  formula: string;
  name: string | undefined;
  /** The contract's own amount. The formula may have changed since. */
  amount: number;
  /** When a planned stop takes effect; no debit is made after it. */
  stopsAt?: Date | undefined;
  /** A bank claims or has taken a payment of it back: no card is kept, and each period is paid on a page. */
  paidByHand?: true;
};

/** The offer of a formula, which is debited until somebody stops it. */
export type SoldOffer = Offer & { nextDebit: NonNullable<Offer["nextDebit"]> };

type OfferOptions = {
  calendar?: Calendar;
  trafficToken?: string;
  /** The person has had a trial already: they are sold the formula without its own. */
  hasUsedTrial?: boolean;
};

/**
 * The offer of a formula to a person without a contract. The platform charges this offer, and the pages
 * show it. For the server only: the calendar must not reach the browser.
 */
export function offerOf(
  formula: Formula,
  now: Date,
  { calendar = addDuration, trafficToken, hasUsedTrial = false }: OfferOptions = {},
): SoldOffer {
  const { uid, name, amount, creditAmount, creditTerms } = formula;
  const { periodDuration, periodDurationUnit } = formula;
  const sold = trialOf(formula);
  const trial = hasUsedTrial ? null : sold;
  const period = { duration: periodDuration, unit: periodDurationUnit };
  return withStatement({
    at: now.toISOString(),
    formula: uid,
    ...(name !== undefined && { name }),
    ...(trafficToken !== undefined && { trafficToken }),
    amountNow: trial ? trial.amount : amount,
    trial,
    ...(sold && !trial && { trialUsed: true }),
    amount,
    period,
    ...(creditAmount !== undefined && { creditAmount }),
    ...(creditTerms !== undefined && { creditTerms }),
    nextDebit: { date: firstPeriodEnd(now, { trial, period }, calendar).toISOString(), amount },
    due: null,
  });
}

/**
 * The offer of a contract's next period: without trial and credit, and without a next debit where the contract
 * ends with that period, or where its periods are paid by hand. A planned end is named, also one of a later period.
 */
export function dueOfferOf(
  contract: DueContract,
  now: Date,
  calendar: Calendar = addDuration,
): Offer {
  const { formula, name, amount, period, stopsAt, paidByHand } = contract;
  const { start, end, anchor } = periodPaidAt(now, contract, calendar);
  const isLast = stopsAt !== undefined && stopsAt < end;
  const plannedEnd =
    stopsAt && (isLast ? end : periodEndAfter(stopsAt, { anchor, period }, calendar));
  return withStatement({
    at: now.toISOString(),
    formula,
    ...(name !== undefined && { name }),
    amountNow: amount,
    trial: null,
    amount,
    period,
    nextDebit: isLast || paidByHand ? null : { date: end.toISOString(), amount },
    ...(paidByHand && { paidByHand }),
    ...(isLast && { isLast }),
    ...(plannedEnd && { endsAt: plannedEnd.toISOString() }),
    due: { date: start.toISOString() },
  });
}

/**
 * The present offer as a form showed it; null where it showed another one. Yesterday's statement counts as
 * well: after midnight only the dates that count from now differ.
 */
export function offerAsShown(
  statement: string,
  offer: Offer,
  calendar: Calendar = addDuration,
): Offer | null {
  if (statement === offer.statement) return offer;
  const yesterday = new Date(startOfDay(new Date(offer.at)).getTime() - 1);
  const date = firstPeriodEnd(yesterday, offer, calendar).toISOString();
  const { at, period, nextDebit, endsAt, due } = offer;
  const isMissed = due?.date === at;
  // When a missed period is paid, a planned end counts from the payment, as the next debit does.
  const earlierEnd = (end: string) => {
    const periods = periodsOver(new Date(end), { anchor: new Date(at), period }, calendar);
    return calendar(yesterday, periods * period.duration, period.unit).toISOString();
  };
  const earlier = withStatement({
    ...offer,
    nextDebit: nextDebit && { ...nextDebit, date },
    due: isMissed ? { date: yesterday.toISOString() } : due,
    ...(endsAt !== undefined && { endsAt: earlierEnd(endsAt) }),
  });
  return statement === earlier.statement ? earlier : null;
}

/** Whether a form showed the present offer. */
export const wasShown = (statement: string, offer: Offer, calendar?: Calendar): boolean =>
  offerAsShown(statement, offer, calendar) !== null;

/** A trial without an amount is free. */
export function trialOf({ trialAmount = 0, trialDuration, trialDurationUnit }: Formula) {
  return trialDuration !== undefined && trialDurationUnit !== undefined
    ? { duration: trialDuration, unit: trialDurationUnit, amount: trialAmount }
    : null;
}

type OfferTerms = Omit<Offer, "statement">;

const withStatement = <T extends OfferTerms>(offer: T): T & { statement: string } => ({
  ...offer,
  statement: statementOf(offer),
});

/**
 * All terms of the offer in one line, dates to the day. A form carries it, the platform compares
 * it. Words, for which the line has no room, stand in it by their checksum.
 */
function statementOf({ formula, name, amountNow, trial, ...offer }: OfferTerms): string {
  return [
    formula,
    amountNow,
    trial ? lengthOf(trial) : "",
    offer.amount,
    lengthOf(offer.period),
    creditOf(offer),
    nextOf(offer),
    offer.due ? dayOf(new Date(offer.due.date)) : "",
    name === undefined ? "" : checksum(name),
  ].join("|");
}

/** The day on which the period of a due renewal begins, out of its statement. Null for another offer. */
export const dueDayOf = (statement: string): string | null => statement.split("|")[7] || null;

/** The day of the next debit or that there is none without the person, and the day of a planned end. */
function nextOf({ nextDebit, paidByHand, endsAt }: Partial<OfferTerms>) {
  const next = nextDebit ? [dayOf(new Date(nextDebit.date))] : paidByHand ? ["by-hand"] : [];
  const end = endsAt === undefined ? [] : [`end-${dayOf(new Date(endsAt))}`];
  return [...next, ...end].join("-");
}

const lengthOf = ({ duration, unit }: Duration) => `${duration}-${unit}`;

function creditOf({ creditAmount, creditTerms: terms }: Partial<OfferTerms>) {
  if (creditAmount === undefined || !terms) return creditAmount ?? "";
  const { debtor, way, delayDays, delayAfter, conditions } = terms;
  const words = JSON.stringify([debtor, way, delayDays, delayAfter, conditions]);
  return `${creditAmount}-${checksum(words)}`;
}

/** FNV-1a, 32 bits: it notices a change of the owner's own words, and keeps no secret. */
function checksum(text: string): string {
  const hash = [...new TextEncoder().encode(text)].reduce(
    (before, byte) => Math.imul(before ^ byte, 0x01000193),
    0x811c9dc5,
  );
  return (hash >>> 0).toString(36);
}
