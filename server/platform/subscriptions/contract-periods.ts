import { durationUnit } from "../../../app/contract/subscriptions";
import {
  GRACE_DAYS,
  periodEndAfter,
  periodsOver,
  periodPaidAt,
  type Calendar,
  type Due,
  type Periods,
} from "../../../app/contract/periods";
import type { SubscriptionRow } from "../database/subscription-row";

/** Days after the due date on which a declined renewal is tried again. */
export const RETRY_DAYS = [1, 3, 5] as const;

/** The time of the next retry of a declined renewal; null when none is left before the grace ends. */
export function nextRetry(graceUntil: Date, now: Date, calendar: Calendar): Date | null {
  // Days are counted back from the end of the grace, which the first attempt fixes. A day on which the
  // provider could not be reached is not repeated.
  const days = RETRY_DAYS.map((day) => calendar(graceUntil, day - GRACE_DAYS, "day"));
  return days.find((day) => day > now) ?? null;
}

export const LONG_PERIOD = { day: 90, week: 13, month: 3, year: 1 } as const;

/** The end of the period that contains a time. */
export function endOfPeriodAt(
  subscription: SubscriptionRow,
  moment: Date,
  calendar: Calendar,
): Date {
  return periodEndAfter(moment, periodsOf(subscription), calendar);
}

/**
 * The end of a contract that goes on until a planned stop: that of the period in which the stop falls, but
 * not before the end of what is already paid.
 */
export function endPlannedBy(
  subscription: SubscriptionRow,
  stopsAt: string,
  calendar: Calendar,
): string {
  const { expires_at } = subscription;
  const end = endOfPeriodAt(subscription, new Date(stopsAt), calendar).toISOString();
  return end > expires_at ? end : expires_at;
}

/** The number of periods that are debited until a planned end of the contract. */
export function countDebitsUntil(
  end: Date,
  subscription: SubscriptionRow,
  calendar: Calendar,
): number {
  const periods = periodsOf(subscription);
  const paid = new Date(subscription.expires_at);
  return periodsOver(end, periods, calendar) - periodsOver(paid, periods, calendar);
}

/** The period that a payment made now pays. */
export function periodPaidBy(now: Date, subscription: SubscriptionRow, calendar: Calendar) {
  return periodPaidAt(now, dueOf(subscription), calendar);
}

/** The due period. After a standstill its grace is longer than usual. */
export function dueOf(subscription: SubscriptionRow): Due {
  const { expires_at, grace_until } = subscription;
  const due = { ...periodsOf(subscription), due: new Date(expires_at) };
  return grace_until === null ? due : { ...due, graceUntil: new Date(grace_until) };
}

/** In a trial, the anchor is the end of the trial, from which the first full period is counted. */
export const isInTrial = ({ period_start, anchor_at, expires_at }: SubscriptionRow) =>
  period_start === null && anchor_at === expires_at;

/**
 * Whether the term that ends next lasts three months or longer, so that its end is announced. A
 * trial is a fixed term with tacit renewal, too.
 */
export function needsRenewalNotice(subscription: SubscriptionRow, calendar: Calendar): boolean {
  if (isInTrial(subscription)) return isLongTrial(subscription, calendar);
  const { duration, unit } = periodsOf(subscription).period;
  return duration >= LONG_PERIOD[unit];
}

/** Contracts keep the dates of a trial, not the unit in which it was sold. */
function isLongTrial({ started_at, expires_at }: SubscriptionRow, calendar: Calendar): boolean {
  const [start, end] = [new Date(started_at), new Date(expires_at)];
  return durationUnit.options.some((unit) => calendar(start, LONG_PERIOD[unit], unit) <= end);
}

/** The periods of the contract itself, which a later change of the formula does not affect. */
export function periodsOf(subscription: SubscriptionRow): Periods {
  const { uid, started_at, anchor_at, period_duration, period_duration_unit } = subscription;
  const unit = durationUnit.safeParse(period_duration_unit);
  if (!unit.success || !period_duration) throw new Error(`Subscription ${uid} has no period`);
  return {
    anchor: new Date(anchor_at ?? started_at),
    period: { duration: period_duration, unit: unit.data },
  };
}
