import { durationUnit } from "../../../../app/contract/subscriptions";
import { periodEndAfter, type Calendar } from "../periods";
import type { Subscription } from "./store";

/** Days after the due date on which a declined renewal is tried again. */
export const RETRY_DAYS = [1, 3, 5] as const;
/** Days for which access is kept while a renewal is unpaid. */
export const GRACE_DAYS = 7;

const LONG_PERIOD = { day: 90, week: 13, month: 3, year: 1 } as const;

/** End of the period that begins when the one paid ends. */
export const nextPeriodEnd = (subscription: Subscription, calendar: Calendar) =>
  endOfPeriodAt(subscription, new Date(subscription.expires_at), calendar);

/** End of the full period in which a moment falls. */
export function endOfPeriodAt(subscription: Subscription, moment: Date, calendar: Calendar): Date {
  const { started_at, anchor_at } = subscription;
  const { count, unit } = periodOf(subscription);
  const anchor = new Date(anchor_at ?? started_at);
  return periodEndAfter(moment, { anchor, count, unit }, calendar);
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
