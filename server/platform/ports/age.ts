import { addDuration } from "../../../app/contract/calendar";
import type { Clock } from "./clock";

export type Age = { days: number } | { months: number } | { years: number };

/** The time of something that is exactly this old now, as ISO text. */
export const isoBefore = (clock: Pick<Clock, "now">, age: Age): string =>
  shift(clock.now(), age, -1).toISOString();

/** The time that follows another by this age. */
export const after = (moment: Date, age: Age): Date => shift(moment, age, 1);

/** A day that the month lacks is its last one: nothing is ever younger than its age says. */
function shift(moment: Date, age: Age, direction: 1 | -1): Date {
  if ("days" in age) return addDuration(moment, direction * age.days, "day");
  if ("months" in age) return addDuration(moment, direction * age.months, "month");
  return addDuration(moment, direction * age.years, "year");
}
