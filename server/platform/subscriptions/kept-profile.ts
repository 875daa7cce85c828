import { DAY_MS, MINUTE_MS } from "../ports/durations";
import type { Database } from "../database/tables";
import { isDisputed } from "../money/claims";
import { isRefundOwed } from "../money/owed-refunds";
import type { SubscriptionContext } from "./context";
import { hasUndecidedDebitSince, UNDECIDED_DAYS } from "../money/undecided-debit";
import { REFUND_DAYS } from "./withdrawal-deadline";

type Store = Pick<SubscriptionContext, "db" | "clock">;

/** What is open; `until`: when to look again. */
type ReasonToKeep = {
  reason: "refund" | "dispute" | "payment" | "withdrawal" | "cancellation";
  until: Date;
};

/**
 * Finds why the profile of a leaving person is still kept: while a refund or dispute is open, the bank decides on a
 * payment, or a notice can be undone. A refund (L221-24), dispute or payment that takes longer than usual continues
 * without the account.
 */
export async function findReasonToKeep(
  { db, clock }: Store,
  accountUid: string,
): Promise<ReasonToKeep | null> {
  const now = clock.now();
  const tomorrow = new Date(now.getTime() + DAY_MS);
  if (await isRefunding(db, accountUid, now)) return { reason: "refund", until: tomorrow };
  if (await isDisputed(db, accountUid, now)) return { reason: "dispute", until: tomorrow };
  const paidSince = new Date(now.getTime() - UNDECIDED_DAYS * DAY_MS);
  if (await hasUndecidedDebitSince(db, accountUid, paidSince)) {
    return { reason: "payment", until: tomorrow };
  }
  const notices = await selectOpenNotices({ db, clock }, accountUid)
    .orderBy("contract_notice.undo_until", "desc")
    .execute();
  const [last] = notices;
  if (!last?.undo_until) return null;
  const soon = now.getTime() + MINUTE_MS;
  return {
    reason: notices.some(({ kind }) => kind === "withdrawal") ? "withdrawal" : "cancellation",
    until: new Date(Math.max(Date.parse(last.undo_until), soon)),
  };
}

/** A refund that takes longer than usual, or was given up, continues without the account. */
export const isRefunding = (db: Database, accountUid: string, now: Date): Promise<boolean> =>
  isRefundOwed(db, accountUid, new Date(now.getTime() - REFUND_DAYS * DAY_MS));

/**
 * Selects withdrawals until a job has made their refund, and the cancellations that stop the contract
 * while they can be undone: each has a mail that names its own limit. One that is planned for later does not
 * stop it, nor do any once the owner's own stop is in their place.
 */
export const selectOpenNotices = ({ db, clock }: Store, accountUid: string) =>
  db
    .selectFrom("contract_notice")
    .innerJoin("subscription", "subscription.uid", "contract_notice.subscription_uid")
    .select(["contract_notice.kind", "contract_notice.undo_until"])
    .where("subscription.account_uid", "=", accountUid)
    .where((e) =>
      e.or([
        e("contract_notice.kind", "=", "withdrawal"),
        e.and([
          e("contract_notice.stops_at", "<=", clock.now().toISOString()),
          // A stop on the account page has no notice.
          e.exists(
            e
              .selectFrom("contract_notice as stop")
              .select("stop.uid")
              .whereRef("stop.subscription_uid", "=", "subscription.uid")
              .whereRef("stop.stops_at", "=", "subscription.cancelled_at")
              .where("stop.undone_at", "is", null),
          ),
          e("contract_notice.undo_until", ">", clock.now().toISOString()),
        ]),
      ]),
    )
    .where("contract_notice.undone_at", "is", null)
    .where("contract_notice.settled_at", "is", null)
    .where("contract_notice.undo_until", "is not", null);
