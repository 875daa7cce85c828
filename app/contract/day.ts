/** Swedish writes a date as ISO does. */
const parisDay = new Intl.DateTimeFormat("sv-SE", { timeZone: "Europe/Paris" });

/** The day of a moment in Paris, as an ISO date. */
export const dayOf = (moment: Date) => parisDay.format(moment);
