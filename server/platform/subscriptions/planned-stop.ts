import type { Database } from "../database/tables";
import type { SubscriptionContext } from "./context";
import type { SubscriptionRow } from "../database/subscription-row";
import { endPlannedBy } from "./contract-periods";

/** The stop that a notice planned for a day, unless it was undone. */
export type PlannedStop = { noticeUid: string; stopsAt: string };

/** The first planned stop of a contract before a moment, or at it, `besides` that of one notice. */
export async function findPlannedStop(
  db: Database,
  { uid }: Pick<SubscriptionRow, "uid">,
  until: string,
  { besides = "" }: { besides?: string } = {},
): Promise<PlannedStop | undefined> {
  const notice = await selectPlannedStops(db, until)
    .select(["uid", "stops_at"])
    .where("subscription_uid", "=", uid)
    .where("uid", "!=", besides)
    .orderBy("stops_at")
    .orderBy("uid")
    .executeTakeFirst();
  return notice?.stops_at ? { noticeUid: notice.uid, stopsAt: notice.stops_at } : undefined;
}

/** Whether a planned stop ends a contract with the period that is paid, so that no further one is sold. */
export async function endsWithPaidPeriod(
  db: Database,
  subscription: SubscriptionRow,
  now: Date,
): Promise<boolean> {
  const { expires_at, cancelled_at, ended_at } = subscription;
  if (cancelled_at !== null || ended_at !== null || expires_at <= now.toISOString()) return false;
  const stop = await findPlannedStop(db, subscription, expires_at);
  return stop !== undefined && stop.stopsAt < expires_at;
}

/** Later than any wished day. */
const EVER = "9999";

/** The first planned stop of a contract, however late. */
export const findNextStop = (
  db: Database,
  subscription: Pick<SubscriptionRow, "uid">,
  but: { besides?: string } = {},
) => findPlannedStop(db, subscription, EVER, but);

/** The end that a notice plans for a contract that goes on until then; null without one. */
export async function findPlannedEnd(
  { db, calendar }: Pick<SubscriptionContext, "db" | "calendar">,
  subscription: SubscriptionRow,
): Promise<string | null> {
  const { cancelled_at, ended_at } = subscription;
  if (cancelled_at !== null || ended_at !== null) return null;
  const stop = await findNextStop(db, subscription);
  return stop ? endPlannedBy(subscription, stop.stopsAt, calendar) : null;
}

/** Selects the contracts with a planned stop before a moment, or at it. */
export const selectPlannedToStop = (db: Database, until: string) =>
  selectPlannedStops(db, until)
    .where("subscription_uid", "is not", null)
    .select((e) => e.ref("subscription_uid").$notNull().as("uid"));

const selectPlannedStops = (db: Database, until: string) =>
  db
    .selectFrom("contract_notice")
    .where("kind", "=", "cancellation")
    .where("undone_at", "is", null)
    .where("stops_at", "<=", until);

/**
 * The planned stop whose moment has come though its job has not run yet, as after a standstill:
 * undefined where the contract is stopped or over.
 */
export async function findDueStop(
  db: Database,
  subscription: SubscriptionRow,
  now: Date,
): Promise<PlannedStop | undefined> {
  if (subscription.cancelled_at !== null || subscription.ended_at !== null) return undefined;
  return findPlannedStop(db, subscription, now.toISOString());
}

/**
 * A contract as it will be after its due stop, for reads before the job has run. A stop after the end of
 * the paid period is left to the jobs, because the debit is made first.
 */
export async function asStopped(
  db: Database,
  subscription: SubscriptionRow,
  now: Date,
): Promise<SubscriptionRow> {
  const { expires_at, renewal_attempts } = subscription;
  const stop = await findDueStop(db, subscription, now);
  if (!stop || stop.stopsAt >= expires_at || renewal_attempts > 0) return subscription;
  const ended_at = expires_at <= now.toISOString() ? expires_at : null;
  return { ...subscription, cancelled_at: stop.stopsAt, grace_until: null, ended_at };
}
