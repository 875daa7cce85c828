type Unit = "minute" | "hour" | "day";

const unit = (unit: Unit, unitDisplay: "long" | "short") =>
  new Intl.NumberFormat("fr-FR", { style: "unit", unit, unitDisplay });

const inWords = { hours: unit("hour", "long"), days: unit("day", "long") };
const inShort = {
  minutes: unit("minute", "short"),
  hours: unit("hour", "short"),
  days: unit("day", "short"),
};

const HOUR = 60;
const DAY = 24 * HOUR;

/** `1 heure`, `5 heures`, from two days on `3 jours`: what a usual wait stays within, so always rounded up. */
export const usualWait = (minutes: number) =>
  minutes <= 2 * DAY - HOUR
    ? inWords.hours.format(Math.ceil(minutes / HOUR))
    : inWords.days.format(Math.ceil(minutes / DAY));

/** `12 min`, `3 h`, from two days on `2 j`: how long somebody has waited, in full units, one minute at least. */
export function pastWait(since: string, now = new Date()) {
  const minutes = Math.max(1, Math.floor((now.getTime() - Date.parse(since)) / 60_000));
  if (minutes < HOUR) return inShort.minutes.format(minutes);
  if (minutes < 2 * DAY) return inShort.hours.format(Math.floor(minutes / HOUR));
  return inShort.days.format(Math.floor(minutes / DAY));
}
