import type { Clock } from "./clock";

export type Age = { days: number } | { months: number } | { years: number };

/** The time of something that is exactly this old now, as ISO text. */
export const isoBefore = (clock: Pick<Clock, "now">, age: Age): string =>
  shift(clock.now(), age, -1).toISOString();

/** The time that follows another by this age. */
export const after = (moment: Date, age: Age): Date => shift(moment, age, 1);

function shift(moment: Date, age: Age, direction: 1 | -1): Date {
  const shifted = new Date(moment);
  if ("days" in age) shifted.setUTCDate(shifted.getUTCDate() + direction * age.days);
  if ("months" in age) shifted.setUTCMonth(shifted.getUTCMonth() + direction * age.months);
  if ("years" in age) shifted.setUTCFullYear(shifted.getUTCFullYear() + direction * age.years);
  return shifted;
}
