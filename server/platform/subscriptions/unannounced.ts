import { periodsOver, type Calendar } from "../../../app/contract/periods";
import type { Subscription } from "../../../app/contract/subscriptions";
import type { Database } from "../database/tables";
import { wasUnannounced } from "./announcements";
import { whyDisputed } from "../money/claims";
import type { SubscriptionContext } from "./context";
import type { SubscriptionRow } from "../database/subscription-row";
import { readLeft, readReturned } from "../money/owed-refunds";
import { findPeriodPayment, readComingRefund, type PeriodPayment } from "./paid-period";
import type { Payment } from "../money/payments";
import { beginOrderedRefund, ENDED_BY_LETTER, ENDED_UNANNOUNCED } from "../money/refunds";
import { selectUnannounced } from "./unannounced-payment";

type Store = Pick<SubscriptionContext, "db" | "clock" | "calendar">;

/** What is given back of an unannounced period if its contract ends. */
type Rest = { payment: PeriodPayment; amount: number };

/**
 * Records with a payment that has renewed its contract whether the notice of that renewal was missing: the trace
 * of the mails ends after a year, and the right of its person lasts as long as the period (L215-1).
 */
export async function recordUnannounced(
  context: SubscriptionContext,
  renewed: SubscriptionRow,
  payment: Payment,
): Promise<Payment> {
  if (!(await wasUnannounced(context, renewed, payment))) return payment;
  await context.db
    .updateTable("payment")
    .set({ unannounced: 1 })
    .where("uid", "=", payment.uid)
    .execute();
  const words = "renewed without its notice in time: its person may end it, and gets the rest back";
  context.log.error({ contract: renewed.uid, payment: payment.uid }, words);
  return { ...payment, unannounced: 1 };
}

/** Whether the running period of a contract was renewed without its notice, and something is left to give back. */
export async function isEndableAtOnce(
  context: Store,
  subscription: SubscriptionRow,
): Promise<boolean> {
  return (await readRest(context, subscription)) !== null;
}

/**
 * Reads what is given back of the running period if the contract ends now. Null where that period was announced, or
 * nothing is left of its payment, as while a bank decides on it.
 */
export async function readRest(
  { db, clock, calendar }: Store,
  subscription: SubscriptionRow,
): Promise<Rest | null> {
  if (subscription.ended_at !== null) return null;
  const now = clock.now();
  const payment = await findUnannouncedPayment(db, subscription, { from: now, to: now });
  if (!payment || (await whyDisputed(db, payment.uid)) !== null) return null;
  const amount = await readRestSince({ db, calendar }, payment, now);
  return amount > 0 ? { payment, amount } : null;
}

/** The cents of a payment for the days that are left of its period since a moment, if they have not gone back yet. */
export async function readRestSince(
  { db, calendar }: Pick<Store, "db" | "calendar">,
  payment: PeriodPayment,
  since: Date,
): Promise<number> {
  return Math.min(shareLeft(payment, since, calendar), await readLeft(db, payment));
}

/** What the deletion of the account would give back now: of the running period, and of one that was paid early. */
export async function readRefundsOnDeletion(
  context: Store,
  subscription: SubscriptionRow,
): Promise<Pick<Subscription, "refundOnDeletion" | "earlyRefundOnDeletion">> {
  const rest = await readRest(context, subscription);
  const early = await readComingRefund(context, subscription);
  return {
    ...(rest && {
      refundOnDeletion: { amount: rest.amount, untilDateTime: rest.payment.covers_until },
    }),
    ...(early > 0 && { earlyRefundOnDeletion: early }),
  };
}

/**
 * Begins to give back the rest of an unannounced period, once, with the end of its contract by its person:
 * what was paid for the days that are left (L215-1). The caller has locked the account.
 * @returns the cents that are given back
 */
export async function refundRest(context: Store, running: SubscriptionRow): Promise<number> {
  const rest = await readRest(context, running);
  if (!rest) return 0;
  await orderRest(context, rest);
  return rest.amount;
}

/** Begins to give back the rest of an unannounced period, which the caller has read with the account locked. */
export const orderRest = (context: Pick<Store, "db" | "clock">, { payment, amount }: Rest) =>
  beginOrderedRefund(context, payment, { ...ENDED_UNANNOUNCED, amount });

/**
 * Begins to give back what a letter of a day claims of a period beyond the end of its contract, once for each day: of
 * one that is given up the operator was told.
 * @returns the cents that are given back
 */
export async function orderClaimed(
  context: Store,
  payment: PeriodPayment,
  { day, since }: { day: string; since: Date },
): Promise<number> {
  const { db } = context;
  const reason = `${ENDED_BY_LETTER}${day}`;
  const ordered = await db
    .selectFrom("refund")
    .select("uid")
    .where("payment_uid", "=", payment.uid)
    .where("reason", "=", reason)
    .executeTakeFirst();
  const amount = ordered ? 0 : await readOwedSince(context, payment, since);
  if (amount > 0) {
    await beginOrderedRefund(context, payment, { ...ENDED_UNANNOUNCED, reason, amount });
  }
  return amount;
}

/** The cents for the days since a moment, of a contract that has ended: what went back of the payment went back for them. */
async function readOwedSince(
  { db, calendar }: Pick<Store, "db" | "calendar">,
  payment: PeriodPayment,
  since: Date,
): Promise<number> {
  const owed = shareLeft(payment, since, calendar) - (await readReturned(db, payment));
  return Math.max(0, Math.min(owed, await readLeft(db, payment)));
}

/**
 * Begins to give back the rest of an unannounced period as of the end of its contract, which is final, after the
 * money of its payment came back: nothing could be given back while a bank decided.
 */
export async function refundRestSince(context: Store, payment: PeriodPayment, endedAt: string) {
  const amount = await readRestSince(context, payment, new Date(endedAt));
  if (amount > 0) await orderRest(context, { payment, amount });
}

/**
 * Finds the payment of the period that was running then, where that was renewed without its notice. Of two that meet
 * between these moments it is the earlier one.
 */
export async function findUnannouncedPayment(
  db: Database,
  subscription: SubscriptionRow,
  { from, to }: { from: Date; to: Date },
): Promise<PeriodPayment | undefined> {
  const moments = { from: from.toISOString(), to: to.toISOString() };
  const found = await selectUnannounced(db, subscription, moments).executeTakeFirst();
  return found && findPeriodPayment(db, found.uid);
}

/** The cents for the days that are left, rounded up; a day that has begun counts as left. */
function shareLeft(
  { amount, covers_from, covers_until }: PeriodPayment,
  now: Date,
  calendar: Calendar,
): number {
  const until = new Date(covers_until);
  const days = countDays(new Date(covers_from), until, calendar);
  return Math.ceil((amount * countDays(now, until, calendar)) / days);
}

/** The number of days until then, of which the last may be a part of one. */
function countDays(from: Date, until: Date, calendar: Calendar): number {
  const days = { anchor: from, period: { duration: 1, unit: "day" } } as const;
  return periodsOver(new Date(until.getTime() - 1), days, calendar) + 1;
}
