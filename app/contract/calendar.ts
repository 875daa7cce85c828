import { Temporal } from "temporal-polyfill";
import { ZONE } from "./day";
import type { DurationUnit } from "./subscriptions";

/** All dates of contracts follow the clock of Paris, with its summer time. */
const inParis = (moment: Date) =>
  Temporal.Instant.fromEpochMilliseconds(moment.getTime()).toZonedDateTimeISO(ZONE);

const toDate = ({ epochMilliseconds }: Temporal.ZonedDateTime) => new Date(epochMilliseconds);

const LENGTHS = {
  day: (days: number) => ({ days }),
  week: (weeks: number) => ({ weeks }),
  month: (months: number) => ({ months }),
  year: (years: number) => ({ years }),
} satisfies Record<DurationUnit, (count: number) => Temporal.DurationLike>;

/**
 * Adds calendar units and keeps the hour of Paris. A day that the month lacks becomes its last day.
 * Successive ends are therefore counted from one start (31 Jan, 28 Feb, 31 Mar), never from each other.
 * An hour that exists twice (October) means the first one. An hour that is skipped (March) moves on by
 * the gap.
 */
export function addDuration(start: Date, count: number, unit: DurationUnit): Date {
  return toDate(inParis(start).add(LENGTHS[unit](count)));
}

/** Midnight in Paris at the start of a moment's year, or `later` years after it. */
export function startOfYear(moment: Date, later = 0): Date {
  return toDate(inParis(moment).with({ month: 1, day: 1 }).add({ years: later }).startOfDay());
}

/** Midnight in Paris at the start of a moment's day, or `later` days after it. */
export function startOfDay(moment: Date, later = 0): Date {
  return toDate(inParis(moment).add({ days: later }).startOfDay());
}

/** Midnight in Paris at the start of an ISO date, such as `2026-11-20`. */
export function startOfDate(date: string): Date {
  return toDate(Temporal.PlainDate.from(date).toZonedDateTime(ZONE));
}
