/** The zone of all days and hours that people read, and of the dates of contracts. */
export const ZONE = "Europe/Paris";

/** The Swedish format of a date is the ISO format. */
const parisDay = new Intl.DateTimeFormat("sv-SE", { timeZone: ZONE });

/** The day of a moment in Paris, as an ISO date. */
export const dayOf = (moment: Date) => parisDay.format(moment);

/**
 * How far ahead a contract may be cancelled. Bounded, because a waiting notice stores personal data. Well below
 * the time for which notices are kept (docs/retention.md): until then it can be undone and proved.
 */
export const WISHED_YEARS = 3;

/** The last day for which a contract can be cancelled now. */
export function lastWishedDay(now: Date): string {
  const [year = "", ...rest] = dayOf(now).split("-");
  return [Number(year) + WISHED_YEARS, ...rest].join("-");
}
