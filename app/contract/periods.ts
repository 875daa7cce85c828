import { addDuration } from "./calendar";
import type { DurationUnit } from "./subscriptions";

const DAY_MS = 24 * 3_600_000;

export type Calendar = typeof addDuration;

/** So many days, weeks, months or years. */
export type Duration = { duration: number; unit: DurationUnit };

/** How long what is sold lasts: the trial where there is one, then period after period. */
export type Terms = { trial: Duration | null; period: Duration };

/** Days for which access is kept while a renewal is unpaid. */
export const GRACE_DAYS = 7;

/** The calendar, or one whose days last so many seconds: `RENEWAL_CLOCK` of the sandbox. */
export function calendarOf(daySeconds: number | undefined): Calendar {
  if (daySeconds === undefined) return addDuration;
  const scale = (daySeconds * 1000) / DAY_MS;
  return (start, count, unit) => {
    const length = addDuration(start, count, unit).getTime() - start.getTime();
    return new Date(start.getTime() + Math.round(length * scale));
  };
}

/** End of what the first payment pays: the trial where there is one, otherwise the first period. */
export function firstPeriodEnd(
  start: Date,
  { trial, period }: Terms,
  calendar: Calendar = addDuration,
): Date {
  const { duration, unit } = trial ?? period;
  return calendar(start, duration, unit);
}

/** Start of the first full period: the anchor from which all later ones are counted. */
export function firstPeriodStart(
  start: Date,
  { trial }: Terms,
  calendar: Calendar = addDuration,
): Date {
  return trial ? calendar(start, trial.duration, trial.unit) : start;
}

/** Access lasts until then when what is due is not paid. */
export const graceAfter = (due: Date, calendar: Calendar) => calendar(due, GRACE_DAYS, "day");

/** Full periods are counted from one anchor, so that the 31st comes back after February. */
export type Periods = { anchor: Date; period: Duration };

/** First end of a period after a moment. */
export function periodEndAfter(moment: Date, { anchor, period }: Periods, calendar: Calendar) {
  const endOf = (periods: number) => calendar(anchor, periods * period.duration, period.unit);
  let [before, after] = [0, 1];
  while (endOf(after) <= moment) [before, after] = [after, after * 2];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (endOf(middle) <= moment) before = middle;
    else after = middle;
  }
  return endOf(after);
}

type Paid = { start: Date; end: Date; anchor: Date };

/**
 * What a payment made now pays for: the period that is due. Where that one is over, or access had
 * lapsed, a period begins with the payment instead: what was missed is charged to nobody.
 */
export function periodPaidAt(
  now: Date,
  { due, anchor, period }: Periods & { due: Date },
  calendar: Calendar,
): Paid {
  const end = periodEndAfter(due, { anchor, period }, calendar);
  const isMissed = end <= now || graceAfter(due, calendar) < now;
  return isMissed
    ? { start: now, end: calendar(now, period.duration, period.unit), anchor: now }
    : { start: due, end, anchor };
}
