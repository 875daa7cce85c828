const timeZone = "Europe/Paris";
const date = new Intl.DateTimeFormat("fr-FR", {
  day: "numeric",
  month: "short",
  year: "numeric",
  timeZone,
});
const dateTime = new Intl.DateTimeFormat("fr-FR", {
  dateStyle: "long",
  timeStyle: "short",
  timeZone,
});
const amount = new Intl.NumberFormat("fr-FR", { style: "currency", currency: "EUR" });

type Moment = string | Date;

/** `20 nov. 2026` */
export function formatDate(moment: Moment) {
  return date.format(new Date(moment));
}

/** `20 novembre 2026 à 10:15` */
export function formatDateTime(moment: Moment) {
  return dateTime.format(new Date(moment));
}

/** `9,90 €` from cents. */
export function formatAmount(cents: number) {
  return amount.format(cents / 100);
}
