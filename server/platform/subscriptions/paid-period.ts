import { graceAfter } from "../../../app/contract/periods";
import type { Database } from "../database/tables";
import { resetCreditDelay, startCreditDelay } from "./credits";
import { findPayment, type Payment } from "../money/payments";
import { readLeft, readOwnRefund } from "../money/owed-refunds";
import { refundPayment } from "../money/refunds";
import { schedulePeriod } from "./schedule";
import type { SubscriptionRow } from "../database/subscription-row";
import { updateSubscription } from "./store";
import { findUnsettledOfPeriod } from "../money/undecided-debit";
import type { SubscriptionContext } from "./context";

/** A payment that paid a period of a contract. */
export type PeriodPayment = Payment & { covers_from: string; covers_until: string };

type PeriodState = "over" | "running" | "coming" | "taken back";

/** Stores the paid period with the payment, because the contract's own dates may change later. */
export async function recordPeriod(
  { db }: Pick<SubscriptionContext, "db">,
  { uid }: Pick<Payment, "uid">,
  period: Pick<PeriodPayment, "covers_from" | "covers_until">,
) {
  await db.updateTable("payment").set(period).where("uid", "=", uid).execute();
}

/** Finds a payment that paid a period; undefined when it paid none. */
export async function findPeriodPayment(
  db: Database,
  uid: string,
): Promise<PeriodPayment | undefined> {
  const payment = await findPayment(db, uid);
  return payment && isPeriodPayment(payment) ? payment : undefined;
}

/**
 * The state of a paid period. The last one counts as running until the next is paid or the grace
 * ends.
 */
export function stateOfPeriod(
  payment: PeriodPayment,
  { expires_at }: SubscriptionRow,
  now: Date,
): PeriodState {
  const { subscription_uid, period_start, covers_from, covers_until } = payment;
  if (subscription_uid !== null && period_start === null) return "taken back";
  if (covers_from > now.toISOString()) return "coming";
  return covers_until > now.toISOString() || covers_until === expires_at ? "running" : "over";
}

/**
 * Revokes a period paid early whose money went back before it began: the contract is due at its
 * beginning again and the period can be paid by another payment.
 */
export async function revokePeriod(
  context: SubscriptionContext,
  subscription: SubscriptionRow,
  payment: PeriodPayment,
): Promise<SubscriptionRow> {
  const { db, calendar, log } = context;
  const { uid, cancelled_at, ended_at, expires_at } = subscription;
  const { covers_from: due, covers_until } = payment;
  if (expires_at !== covers_until) return subscription;
  const isRenewed = cancelled_at === null && ended_at === null;
  await updatePeriodStart(db, payment, null);
  const shortened = await updateSubscription(db, uid, {
    expires_at: due,
    period_start: await startOfPeriodUntil(db, uid, due),
    grace_until: isRenewed ? graceAfter(new Date(due), calendar).toISOString() : null,
  });
  await resetCreditDelay(context, shortened);
  if (ended_at === null) await schedulePeriod(context, shortened);
  log.warn({ subscription: uid, payment: payment.uid }, "a period paid early was taken back");
  return shortened;
}

/**
 * Restores a revoked period after its money came back, if nothing else pays for it; otherwise the
 * payment is refunded. A payment that the platform itself refunded stays refunded.
 */
export async function restorePeriod(
  context: SubscriptionContext,
  subscription: SubscriptionRow,
  payment: PeriodPayment,
) {
  const { db, clock, calendar } = context;
  const { uid, ended_at, cancelled_at, expires_at } = subscription;
  const { covers_from, covers_until, settled_at } = payment;
  if (await isRefunded(db, payment)) return;
  const isFree =
    ended_at === null &&
    expires_at === covers_from &&
    covers_until > clock.now().toISOString() &&
    !(await findUnsettledOfPeriod(db, subscription));
  if (!isFree) return refundPayment(context, payment);
  await updatePeriodStart(db, payment, covers_from);
  const grace = graceAfter(new Date(covers_until), calendar).toISOString();
  const extended = await updateSubscription(db, uid, {
    expires_at: covers_until,
    period_start: covers_from,
    renewal_attempts: 0,
    renewal_needs: null,
    grace_until: cancelled_at === null ? grace : null,
  });
  await startCreditDelay(context, extended, settled_at === null ? undefined : new Date(settled_at));
  await schedulePeriod(context, extended);
}

/**
 * Refunds periods paid early when access ends before they begin. Returns the refunded amount.
 */
export async function refundComingPeriods(
  context: SubscriptionContext,
  subscription: SubscriptionRow,
): Promise<number> {
  let shortened = subscription;
  let refunded = 0;
  for (const payment of await findComing(context, subscription)) {
    await refundPayment(context, payment);
    refunded += (await readOwnRefund(context.db, payment)).amount;
    shortened = await revokePeriod(context, shortened, payment);
  }
  return refunded;
}

/** Reads the cents that `refundComingPeriods` would give back now. */
export async function readComingRefund(
  context: Pick<SubscriptionContext, "db" | "clock">,
  subscription: SubscriptionRow,
): Promise<number> {
  if (subscription.ended_at !== null) return 0;
  let left = 0;
  for (const payment of await findComing(context, subscription)) {
    left += await readLeft(context.db, payment);
  }
  return left;
}

/** Finds the payments of periods that have not begun, the last period first. */
async function findComing(
  { db, clock }: Pick<SubscriptionContext, "db" | "clock">,
  { uid }: SubscriptionRow,
): Promise<PeriodPayment[]> {
  const coming = await db
    .selectFrom("payment")
    .selectAll()
    .where("subscription_uid", "=", uid)
    .where("status", "=", "success")
    .where("period_start", "is not", null)
    .where("covers_from", ">", clock.now().toISOString())
    .orderBy("covers_from", "desc")
    .execute();
  return coming.filter(isPeriodPayment);
}

const isPeriodPayment = (payment: Payment): payment is PeriodPayment =>
  payment.covers_from !== null && payment.covers_until !== null;

/** Each period has one payment; null lets another payment pay it. */
async function updatePeriodStart(db: Database, { uid }: Payment, period_start: string | null) {
  await db.updateTable("payment").set({ period_start }).where("uid", "=", uid).execute();
}

/** The start of the renewed period that ends then; null when it is the first period. */
async function startOfPeriodUntil(db: Database, subscriptionUid: string, until: string) {
  const earlier = await db
    .selectFrom("payment")
    .select("covers_from")
    .where("subscription_uid", "=", subscriptionUid)
    .where("covers_until", "=", until)
    .where("period_start", "is not", null)
    .executeTakeFirst();
  return earlier?.covers_from ?? null;
}

async function isRefunded(db: Database, { uid }: Payment) {
  const refund = await db
    .selectFrom("refund")
    .select("uid")
    .where("payment_uid", "=", uid)
    .where("made_by", "=", "platform")
    .executeTakeFirst();
  return refund !== undefined;
}
