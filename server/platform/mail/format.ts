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

/** A date stays on one line. */
const NO_BREAK = "\u00a0";

/** `20 nov. 2026` in Paris, also from a day alone. */
export function formatDay(iso: string) {
  return day.format(new Date(iso)).replaceAll(" ", NO_BREAK);
}

/** `03/2027`, as it stands on a card, from `2027-03`. */
export const formatMonth = (month: string) => month.split("-").reverse().join("/");

/** `20 nov. 2026 à 10:15` in Paris. */
export function formatMoment(iso: string) {
  const moment = { day: formatDay(iso), time: time.format(new Date(iso)) };
  return fill(words.moment, moment).replaceAll(" ", NO_BREAK);
}

/** `9,90 €` from cents. */
export function formatAmount(cents: number) {
  return amount.format(cents / 100);
}
