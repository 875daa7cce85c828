import type { Database } from "../database/tables";
import { selectNewestFirst, type SubscriptionRow } from "../database/subscription-row";
import { findUndecidedDebit } from "../money/undecided-debit";
import type { SubscriptionContext } from "./context";

/** Finds the subscription of an account that has not ended. */
export async function findRunning(db: Database, accountUid: string) {
  return db
    .selectFrom("subscription")
    .selectAll()
    .where("account_uid", "=", accountUid)
    .where("ended_at", "is", null)
    .executeTakeFirst();
}

/** Counts the running contracts of a formula. */
export async function countRunning(db: Database, formula: string): Promise<number> {
  const { running } = await db
    .selectFrom("subscription")
    .select((e) => e.fn.countAll().as("running"))
    .where("formula_uid", "=", formula)
    .where("ended_at", "is", null)
    .executeTakeFirstOrThrow();
  return Number(running);
}

/** Finds the subscription that can be stopped: the running one, otherwise one on hold. */
export async function findStoppable(db: Database, accountUid: string, now: Date) {
  const running = await findRunning(db, accountUid);
  if (running) return running;
  const ended = await selectNewestFirst(db, accountUid)
    .selectAll()
    .where("ended_by_payment", "is not", null)
    .execute();
  return ended.find((subscription) => isOnHold(subscription, now));
}

/** True when it ended because its payment was reversed: it resumes if the money returns in time. */
export const isOnHold = (
  { ended_by_payment, withdrawn_at, expires_at }: SubscriptionRow,
  now: Date,
): boolean => ended_by_payment !== null && withdrawn_at === null && expires_at > now.toISOString();

/** The end of access of a stopped subscription; an unpaid period keeps the rest of its grace. */
export const endOfStopped = ({
  ended_at,
  grace_until,
  expires_at,
}: Pick<SubscriptionRow, "ended_at" | "grace_until" | "expires_at">): string =>
  ended_at ?? grace_until ?? expires_at;

export const isStoppable = (subscription: SubscriptionRow, now: Date): boolean =>
  subscription.ended_at === null || isOnHold(subscription, now);

/**
 * Whether a contract goes on when what stopped it is undone, at once or when its money returns. One that has ended
 * with its paid period needs a card for the next one, or a debit on which the bank still decides.
 */
export async function mayGoOn(
  { db, clock }: Pick<SubscriptionContext, "db" | "clock">,
  subscription: SubscriptionRow,
): Promise<boolean> {
  if (isStoppable(subscription, clock.now())) return true;
  const { ended_at, ended_by_payment, expires_at, card_reference } = subscription;
  if (ended_by_payment !== null || ended_at !== expires_at) return false;
  return card_reference !== null || Boolean(await findUndecidedDebit(db, subscription));
}
