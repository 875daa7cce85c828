import { Temporal } from "temporal-polyfill";
import type { DurationUnit } from "./subscriptions";

/** All that is sold, due or wished for goes by the clock of Paris, summer time included. */
const ZONE = "Europe/Paris";

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
 * Later by calendar units, at the same hour in Paris. A day the month does not have becomes its last
 * one, so successive ends are counted from one start (31 Jan, 28 Feb, 31 Mar), never from each other.
 * Of an hour that exists twice (October) it is the first; one that does not (March) moves on by the gap.
 */
export function addDuration(start: Date, count: number, unit: DurationUnit): Date {
  return toDate(inParis(start).add(LENGTHS[unit](count)));
}

/** Midnight in Paris of a moment's day, or so many days later. */
export function startOfDay(moment: Date, later = 0): Date {
  return toDate(inParis(moment).add({ days: later }).startOfDay());
}
