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

/** The last day for which a contract can be cancelled now. Browsers check it too, without the calendar. */
export function lastWishedDay(now: Date): string {
  const [year = 0, month = 0, day = 0] = dayOf(now).split("-").map(Number);
  const last = year + WISHED_YEARS;
  // 29 February becomes 28 February, as in the calendar.
  const ofMonth = new Date(Date.UTC(last, month, 0)).getUTCDate();
  return new Date(Date.UTC(last, month - 1, Math.min(day, ofMonth))).toISOString().slice(0, 10);
}
