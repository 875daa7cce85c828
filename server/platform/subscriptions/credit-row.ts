import {
  creditEvent,
  LONGEST_WITHDRAWAL_DAYS,
  type Credit,
} from "../../../app/contract/subscriptions";
import type { SubscriptionRow } from "../database/subscription-row";
import type { Database, Tables } from "../database/tables";
import type { SubscriptionContext } from "./context";
import type { Obstacle, VoidReason } from "./credit-obstacle";
import { withdrawalDeadline } from "./withdrawal-deadline";

/** The cashback that an order promised, with its conditions. */
export type CreditRow = Tables["credit"];

export function findCredit(db: Database, subscriptionUid: string): Promise<CreditRow | undefined> {
  return db
    .selectFrom("credit")
    .selectAll()
    .where("subscription_uid", "=", subscriptionUid)
    .executeTakeFirst();
}

export function creditOf(row: CreditRow): Credit {
  return {
    amount: row.amount,
    debtor: row.debtor,
    way: row.way,
    delayDays: row.delay_days,
    delayAfter: creditEvent.parse(row.delay_after),
    conditions: row.conditions,
    status: row.status,
    ...(row.due_at !== null && { dueDateTime: row.due_at }),
    ...(row.paid_on !== null && { paidDate: row.paid_on }),
    ...(row.void_reason !== null && { reason: row.void_reason }),
  };
}

/** Whether a credit is owed, at once or from a day on, unless the money of the contract goes back. */
export const isOwed = ({ status, due_at }: CreditRow) =>
  status === "due" || (status === "awaited" && due_at !== null);

/** Whether a credit awaits the payment from which its delay is counted. */
export const isUnearned = ({ status, due_at }: CreditRow) =>
  status === "awaited" && due_at === null;

/** Whether a dispute ended the contract before a payment earned the credit. */
export const wasDisputedUnearned = ({ void_reason, due_at }: CreditRow) =>
  void_reason === "disputed" && due_at === null;

/** Why such a credit is not owed, once its contract does not go on. A dispute counts only when it is lost. */
export const reasonUnearned = (obstacle: Obstacle | null): VoidReason =>
  obstacle === null || obstacle === "undecided" ? "ended" : obstacle;

/**
 * Whether a payment pays a whole period of the contract: a renewal, or the order of a contract without a trial.
 * @param begunBy counts only periods that have begun by then
 */
export async function isWholePeriodPaid(
  db: Database,
  { uid, trial_amount }: SubscriptionRow,
  begunBy?: Date,
): Promise<boolean> {
  if (trial_amount === null) return true;
  const renewals = db
    .selectFrom("payment")
    .select("uid")
    .where("subscription_uid", "=", uid)
    .where("status", "=", "success")
    .where("period_start", "is not", null)
    .where("covers_from", "is not", null);
  const counted = begunBy ? renewals.where("covers_from", "<=", begunBy.toISOString()) : renewals;
  return (await counted.executeTakeFirst()) !== undefined;
}

/** End of the right of withdrawal, in the days of the calendar where the sandbox has shorter ones. */
export function withdrawalEnd(
  { calendar }: Pick<SubscriptionContext, "calendar">,
  { started_at }: Pick<SubscriptionRow, "started_at">,
): Date {
  const start = new Date(started_at);
  const latest = calendar(start, LONGEST_WITHDRAWAL_DAYS, "day");
  const lawful = withdrawalDeadline(start);
  return latest < lawful ? latest : lawful;
}
