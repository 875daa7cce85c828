import words from "./letters.fr.json";
import { fill } from "./fill";

const timeZone = "Europe/Paris";
const day = new Intl.DateTimeFormat("fr-FR", {
  day: "numeric",
  month: "short",
  year: "numeric",
  timeZone,
});
const time = new Intl.DateTimeFormat("fr-FR", { hour: "2-digit", minute: "2-digit", timeZone });
const amount = new Intl.NumberFormat("fr-FR", { style: "currency", currency: "EUR" });

/** Keeps a date on one line. */
const NO_BREAK = "\u00a0";

/** Formats a date in Paris, such as `20 nov. 2026`; accepts a day without time. */
export function formatDay(iso: string) {
  return day.format(new Date(iso)).replaceAll(" ", NO_BREAK);
}

/** Formats `2027-03` as on a card: `03/2027`. */
export const formatMonth = (month: string) => month.split("-").reverse().join("/");

/** Formats a time in Paris, such as `20 nov. 2026 à 10:15`. */
export function formatMoment(iso: string) {
  const moment = { day: formatDay(iso), time: time.format(new Date(iso)) };
  return fill(words.moment, moment).replaceAll(" ", NO_BREAK);
}

/** Formats cents, such as `9,90 €`. */
export function formatAmount(cents: number) {
  return amount.format(cents / 100);
}
