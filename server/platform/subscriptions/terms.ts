import { durationUnit } from "../../../app/contract/subscriptions";
import { periodEndAfter, type Calendar } from "../offers/periods";
import type { Subscription } from "./lookup";

/** Days after the due date on which a declined renewal is tried again. */
export const RETRY_DAYS = [1, 3, 5] as const;
/** Days for which access is kept while a renewal is unpaid. */
export const GRACE_DAYS = 7;

/** When a declined renewal is tried next; null when no try is left before the grace ends. */
export function nextRetry(graceUntil: Date, now: Date, calendar: Calendar): Date | null {
  // Counted back from the end of grace, which says when the first try was. Days that went by while
  // the provider could not be asked are not made up for.
  const days = RETRY_DAYS.map((day) => calendar(graceUntil, day - GRACE_DAYS, "day"));
  return days.find((day) => day > now) ?? null;
}

const LONG_PERIOD = { day: 90, week: 13, month: 3, year: 1 } as const;

/** End of the full period in which a moment falls. */
export function endOfPeriodAt(subscription: Subscription, moment: Date, calendar: Calendar): Date {
  const { started_at, anchor_at } = subscription;
  const { count, unit } = periodOf(subscription);
  const anchor = new Date(anchor_at ?? started_at);
  return periodEndAfter(moment, { anchor, count, unit }, calendar);
}

type Paid = { start: Date; end: Date; anchor: Date };

/**
 * What a payment made now pays for: the period that is due. Where that one is over, or access had
 * lapsed, a period begins with the payment instead: what was missed is charged to nobody.
 */
export function periodPaidAt(now: Date, subscription: Subscription, calendar: Calendar): Paid {
  const { started_at, anchor_at, expires_at } = subscription;
  const { count, unit } = periodOf(subscription);
  const start = new Date(expires_at);
  const anchor = new Date(anchor_at ?? started_at);
  const end = periodEndAfter(start, { anchor, count, unit }, calendar);
  const isMissed = end <= now || graceAfter(start, calendar) < now;
  return isMissed
    ? { start: now, end: calendar(now, count, unit), anchor: now }
    : { start, end, anchor };
}

/** Access lasts until then when what is due is not paid. */
export const graceAfter = (due: Date, calendar: Calendar) => calendar(due, GRACE_DAYS, "day");

/** Three months or longer: its renewals are announced. */
export function isLong(subscription: Subscription): boolean {
  const { count, unit } = periodOf(subscription);
  return count >= LONG_PERIOD[unit];
}

function periodOf({ uid, period_duration, period_duration_unit }: Subscription) {
  const unit = durationUnit.safeParse(period_duration_unit);
  if (!unit.success || !period_duration) throw new Error(`Subscription ${uid} has no period`);
  return { count: period_duration, unit: unit.data };
}
