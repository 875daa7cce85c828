import { remembered } from "../../remembered";
import { DAY_MS } from "../ports/durations";
import { startOfDay } from "../../../app/contract/calendar";
import type { SubscriptionRow } from "../database/subscription-row";
import { dayOf } from "../../../app/contract/day";

/** The right to withdraw (L221-18). */
export const WITHDRAWAL_DAYS = 14;
/** After the declaration, the money must be back by then (L221-24). */
export const REFUND_DAYS = 14;

const FIXED = ["01-01", "05-01", "05-08", "07-14", "08-15", "11-01", "11-11", "12-25"];
/** Easter Monday, Ascension, Whit Monday: days after Easter. */
const MOVABLE = [1, 39, 50];

/**
 * The deadline of withdrawal: the end of the fourteenth day after the contract, in Paris, or of the next
 * working day when that is a Saturday, Sunday or holiday (L221-18, L221-19).
 */
export const withdrawalDeadline = (contractAt: Date): Date =>
  new Date(deadlineOf(dayOf(contractAt)));

/** Until when a contract that has not ended can be withdrawn from; null when that is over. */
export function withdrawableUntil(
  {
    started_at,
    ended_at,
    withdrawn_at,
  }: Pick<SubscriptionRow, "started_at" | "ended_at" | "withdrawn_at">,
  now: Date,
): string | null {
  if (ended_at !== null || withdrawn_at !== null) return null;
  const deadline = withdrawalDeadline(new Date(started_at));
  return deadline > now ? deadline.toISOString() : null;
}

/** In milliseconds; each read of a contract asks for it. */
const deadlineOf = remembered((day) => {
  const noon = new Date(`${day}T12:00:00Z`);
  let days = WITHDRAWAL_DAYS;
  while (isRestDay(startOfDay(noon, days))) days++;
  return startOfDay(noon, days + 1).getTime();
});

function isRestDay(moment: Date): boolean {
  const day = dayOf(moment);
  const date = new Date(day);
  const sinceEaster = (date.getTime() - easter(date.getUTCFullYear()).getTime()) / DAY_MS;
  return (
    [0, 6].includes(date.getUTCDay()) ||
    FIXED.includes(day.slice(5)) ||
    MOVABLE.includes(sinceEaster)
  );
}

/** Anonymous Gregorian algorithm (Nature, 1876). */
function easter(year: number): Date {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const d = b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3);
  const h = (19 * a + d + 15) % 30;
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7;
  const m = Math.floor((a + 11 * h + 22 * l) / 451);
  const n = h + l - 7 * m + 114;
  return new Date(Date.UTC(year, Math.floor(n / 31) - 1, (n % 31) + 1));
}
