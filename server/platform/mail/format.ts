import { formatDateTime } from "../../../app/i18n/format";

export {
  formatAmount,
  formatCard,
  formatDate as formatDay,
  formatRate,
  lastDayBefore,
} from "../../../app/i18n/format";

/** Keeps a date on one line. */
const NO_BREAK = "\u00a0";

/** Formats `2027-03` as on a card: `03/2027`. */
export const formatMonth = (month: string) => month.split("-").reverse().join("/");

/** Formats a time in Paris, such as `20 nov. 2026 à 10:15`. */
export function formatMoment(iso: string) {
  return formatDateTime(iso).replaceAll(" ", NO_BREAK);
}

/** Stands for a time limit that is only known when the mail is sent: a character of private use. */
export const LIMIT_MARK = "\ue000";
/** Stands for the day of such a limit. */
export const LIMIT_DAY_MARK = "\ue001";

/** The text of a mail that is shown before its limit is known, or that was never sent. */
export const withoutLimits = (text: string) =>
  text.replaceAll(LIMIT_MARK, "…").replaceAll(LIMIT_DAY_MARK, "…");
