import { DAY_MS } from "../durations";
import { addDuration } from "../../../app/contract/calendar";
import type { DurationUnit, Formula } from "../../../app/contract/subscriptions";

export type Calendar = typeof addDuration;

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
export function firstPeriodEnd(start: Date, formula: Formula, calendar = addDuration): Date {
  const { trialDuration, trialDurationUnit, periodDuration, periodDurationUnit } = formula;
  return trialDuration && trialDurationUnit
    ? calendar(start, trialDuration, trialDurationUnit)
    : calendar(start, periodDuration, periodDurationUnit);
}

/** Start of the first full period: the anchor from which all later ones are counted. */
export function firstPeriodStart(start: Date, formula: Formula, calendar = addDuration): Date {
  const { trialDuration, trialDurationUnit } = formula;
  return trialDuration && trialDurationUnit
    ? calendar(start, trialDuration, trialDurationUnit)
    : start;
}

export type Period = { anchor: Date; count: number; unit: DurationUnit };

/** First end of a period after a moment. */
export function periodEndAfter(moment: Date, { anchor, count, unit }: Period, calendar: Calendar) {
  const endOf = (periods: number) => calendar(anchor, periods * count, unit);
  let [before, after] = [0, 1];
  while (endOf(after) <= moment) [before, after] = [after, after * 2];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (endOf(middle) <= moment) before = middle;
    else after = middle;
  }
  return endOf(after);
}
