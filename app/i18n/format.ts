import { ZONE } from "../contract/day";

const date = new Intl.DateTimeFormat("fr-FR", {
  day: "numeric",
  month: "short",
  year: "numeric",
  timeZone: ZONE,
});
const time = new Intl.DateTimeFormat("fr-FR", {
  hour: "2-digit",
  minute: "2-digit",
  timeZone: ZONE,
});
/** The word that French puts between a date and a time. */
const between =
  new Intl.DateTimeFormat("fr-FR", { dateStyle: "long", timeStyle: "short" })
    .formatToParts(0)
    .find(({ type, value }) => type === "literal" && value.trim() !== "")?.value ?? " ";
const unit = { style: "unit", unitDisplay: "long" } as const;
const minutes = new Intl.NumberFormat("fr-FR", { ...unit, unit: "minute" });
const hours = new Intl.NumberFormat("fr-FR", { ...unit, unit: "hour" });
const amount = new Intl.NumberFormat("fr-FR", { style: "currency", currency: "EUR" });
const rate = new Intl.NumberFormat("fr-FR");

const NO_BREAK = "\u00a0";

type Moment = string | Date;

/** `20 nov. 2026` in Paris, on one line. The first of a month is `1er`. */
export function formatDate(moment: Moment) {
  return date
    .format(new Date(moment))
    .replace(/^1(?!\d)/, "1er")
    .replaceAll(" ", NO_BREAK);
}

/** The day before a deadline that is the start of a day: the last one that counts. */
export function lastDayBefore(deadline: Moment) {
  return formatDate(new Date(new Date(deadline).getTime() - 1));
}

/** `20 nov. 2026 à 10:15` */
export function formatDateTime(moment: Moment) {
  return `${formatDate(moment)}${between}${time.format(new Date(moment))}`;
}

/** `9,90 €` from cents. */
export function formatAmount(cents: number) {
  return amount.format(cents / 100);
}

/** `5,5` for a rate in percent. */
export const formatRate = (percent: number) => rate.format(percent);

/** `15 minutes`, `1 heure`, from two hours on full hours. Always rounded up. */
export function formatWait(seconds: number) {
  const wait = Math.max(1, Math.ceil(seconds / 60));
  return wait === 60 || wait >= 120 ? hours.format(Math.ceil(wait / 60)) : minutes.format(wait);
}

/** A card by its last four digits, whatever else its hint tells. */
export const formatCard = (hint: string) => hint.replace(/^.*(?=\d{4}$)/, "••••\u00a0");
