import type { DurationUnit, Formula } from "../../../app/contract/subscriptions";

const DAY_MS = 24 * 3_600_000;

/** Wall-clock time in Paris, held in the UTC fields of a Date. */
type WallTime = Date;

/**
 * Later by calendar units, at the same hour in Paris. A day the month does not have becomes its last
 * one, so successive ends are counted from one start (31 Jan, 28 Feb, 31 Mar), never from each other.
 */
export function addDuration(start: Date, count: number, unit: DurationUnit): Date {
  const wall = toWallTime(start);
  if (unit === "day") wall.setUTCDate(wall.getUTCDate() + count);
  else if (unit === "week") wall.setUTCDate(wall.getUTCDate() + 7 * count);
  else if (unit === "month") addMonths(wall, count);
  else addMonths(wall, 12 * count);
  return fromWallTime(wall);
}

/** Midnight in Paris of a moment's day, or so many days later. */
export function startOfDay(moment: Date, later = 0): Date {
  const wall = toWallTime(moment);
  wall.setUTCHours(0, 0, 0, 0);
  wall.setUTCDate(wall.getUTCDate() + later);
  return fromWallTime(wall);
}

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

function addMonths(wall: WallTime, count: number) {
  const day = wall.getUTCDate();
  wall.setUTCDate(1);
  wall.setUTCMonth(wall.getUTCMonth() + count);
  const lastDay = new Date(Date.UTC(wall.getUTCFullYear(), wall.getUTCMonth() + 1, 0)).getUTCDate();
  wall.setUTCDate(Math.min(day, lastDay));
}

const toWallTime = (moment: Date): WallTime => new Date(moment.getTime() + offsetAt(moment));

/** Of an hour that exists twice (October) the first; one that does not (March) moves on by the gap. */
function fromWallTime(wall: WallTime): Date {
  const before = offsetAt(new Date(wall.getTime() - DAY_MS));
  const after = offsetAt(new Date(wall.getTime() + DAY_MS));
  const first = new Date(wall.getTime() - before);
  if (offsetAt(first) === before) return first;
  const second = new Date(wall.getTime() - after);
  return offsetAt(second) === after ? second : first;
}

const format = new Intl.DateTimeFormat("en-GB", {
  timeZone: "Europe/Paris",
  hourCycle: "h23",
  year: "numeric",
  month: "numeric",
  day: "numeric",
  hour: "numeric",
  minute: "numeric",
  second: "numeric",
});

/** How far Paris is ahead of UTC, in milliseconds. */
function offsetAt(moment: Date): number {
  const parts = new Map(format.formatToParts(moment).map(({ type, value }) => [type, +value]));
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  const wall = Date.UTC(
    part("year"),
    part("month") - 1,
    part("day"),
    part("hour"),
    part("minute"),
    part("second"),
  );
  return wall - Math.floor(moment.getTime() / 1000) * 1000;
}
