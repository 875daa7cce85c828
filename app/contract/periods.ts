import { addDuration } from "./calendar";
import { DAY_MS } from "./durations";
import type { DurationUnit } from "./subscriptions";

export type Calendar = typeof addDuration;

/** A number of days, weeks, months or years. */
export type Duration = { duration: number; unit: DurationUnit };

/** The trial, if any, and the period that repeats after it. */
export type Terms = { trial: Duration | null; period: Duration };

/** Days for which access is kept while a renewal is unpaid. */
export const GRACE_DAYS = 7;

/** The calendar. With `daySeconds` a day lasts that many seconds (`RENEWAL_CLOCK` of the sandbox). */
export function calendarOf(daySeconds: number | undefined): Calendar {
  if (daySeconds === undefined) return addDuration;
  const scale = (daySeconds * 1000) / DAY_MS;
  return (start, count, unit) => {
    const length = addDuration(start, count, unit).getTime() - start.getTime();
    return new Date(start.getTime() + Math.round(length * scale));
  };
}

/**
 * End of the time that the first payment covers: the trial if there is one, otherwise the first
 * period.
 */
export function firstPeriodEnd(
  start: Date,
  { trial, period }: Terms,
  calendar: Calendar = addDuration,
): Date {
  const { duration, unit } = trial ?? period;
  return calendar(start, duration, unit);
}

/** Start of the first full period. It is the anchor: all later periods are counted from it. */
export function firstPeriodStart(
  start: Date,
  { trial }: Terms,
  calendar: Calendar = addDuration,
): Date {
  return trial ? calendar(start, trial.duration, trial.unit) : start;
}

/** End of access when a due renewal is not paid. */
export const graceAfter = (due: Date, calendar: Calendar) => calendar(due, GRACE_DAYS, "day");

/** Full periods are counted from one anchor, so that the 31st comes back after February. */
export type Periods = { anchor: Date; period: Duration };

/** The first period end after a moment. A trial ends where the full periods begin. */
export function periodEndAfter(moment: Date, periods: Periods, calendar: Calendar) {
  const { anchor, period } = periods;
  if (moment < anchor) return anchor;
  return calendar(
    anchor,
    (periodsOver(moment, periods, calendar) + 1) * period.duration,
    period.unit,
  );
}

/** The number of full periods that are over at a moment: found by halves, because periods may be days. */
export function periodsOver(moment: Date, { anchor, period }: Periods, calendar: Calendar): number {
  const endOf = (periods: number) => calendar(anchor, periods * period.duration, period.unit);
  let [before, after] = [0, 1];
  while (endOf(after) <= moment) [before, after] = [after, after * 2];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (endOf(middle) <= moment) before = middle;
    else after = middle;
  }
  return before;
}

/**
 * The anchor of a contract that began at `start`, if its paid period ends as counted from there. Null for
 * one whose periods have begun anew since, or whose trial was another.
 */
export function anchorOf(
  start: Date,
  terms: Terms,
  paidUntil: Date,
  calendar: Calendar = addDuration,
): Date | null {
  const anchor = firstPeriodStart(start, terms, calendar);
  const before = new Date(paidUntil.getTime() - 1);
  const end = periodEndAfter(before, { anchor, period: terms.period }, calendar);
  return end.getTime() === paidUntil.getTime() ? anchor : null;
}

type Paid = { start: Date; end: Date; anchor: Date };

/**
 * `due`: end of the paid period. `graceUntil`: when access ends unpaid; by default the grace counts from
 * the due day.
 */
export type Due = Periods & { due: Date; graceUntil?: Date };

/**
 * The period that a payment made now covers. It is the due period, unless that one is over or access
 * has lapsed: then a new period begins with the payment, and missed time is not charged.
 */
export function periodPaidAt(now: Date, contract: Due, calendar: Calendar): Paid {
  const { due, anchor, period } = contract;
  const end = periodEndAfter(due, { anchor, period }, calendar);
  const isMissed = end <= now || accessLapsesAt(contract, calendar) < now;
  return isMissed
    ? { start: now, end: calendar(now, period.duration, period.unit), anchor: now }
    : { start: due, end, anchor };
}

/**
 * When access to an unpaid period lapses. A first try within the usual grace, late after a standstill,
 * began a whole grace from then. After a later one missed time is not charged.
 */
function accessLapsesAt({ due, graceUntil }: Due, calendar: Calendar): Date {
  const usual = graceAfter(due, calendar);
  if (!graceUntil) return usual;
  return calendar(graceUntil, -GRACE_DAYS, "day") <= usual ? graceUntil : usual;
}
