import { sql, type ExpressionBuilder } from "kysely";
import type { Database, Tables } from "../database/tables";
import { isPaymentOf, type SubscriptionRow } from "../database/subscription-row";
import { ENDED_BY_LETTER } from "../money/refunds";
import { isWithdrawalOpen } from "./open-withdrawal";
import { selectUnannounced } from "./unannounced-payment";

export type VoidReason = NonNullable<Tables["credit"]["void_reason"]>;

export type Obstacle = Exclude<VoidReason, "ended"> | "undecided";

type Contract = Pick<
  SubscriptionRow,
  "uid" | "payment_uid" | "withdrawn_at" | "cancelled_at" | "ended_at" | "ended_by_payment"
>;

/**
 * Why the credit of a contract is not owed, whatever its delay: a payment was refunded, or lost in a
 * dispute. `undecided`: a dispute or a withdrawal is still open. Neither counts of a renewal since its person wrote to
 * end the contract: it goes back anyway, and the credit was earned before it.
 */
export async function findObstacle(db: Database, subscription: Contract): Promise<Obstacle | null> {
  const { uid, withdrawn_at } = subscription;
  if (withdrawn_at !== null) return "withdrawn";
  const endedSince = await findEndByLetter(db, subscription);
  const claims = await db
    .selectFrom("payment_claim")
    .innerJoin("payment", "payment.uid", "payment_claim.payment_uid")
    .select("payment_claim.status")
    .where(isPaymentOf(subscription))
    .where("payment_claim.kind", "=", "dispute")
    .where("payment_claim.status", "in", ["open", "lost"])
    .$if(endedSince !== null, (query) => query.where(isPaidBy(endedSince)))
    .execute();
  if (claims.some(({ status }) => status === "lost")) return "disputed";
  if (await isRefunded(db, subscription, endedSince)) return "refunded";
  return claims.length > 0 || (await isWithdrawalOpen(db, uid)) ? "undecided" : null;
}

/**
 * Whether a payment of the contract was refunded in full. A partial refund does not count, nor a payment
 * that paid no period or a period that will not begin. What the seller gives back as a gesture does not end what
 * another owes, unless the contract ended with it.
 */
async function isRefunded(
  db: Database,
  { uid, payment_uid, ended_by_payment }: Contract,
  endedSince: string | null,
): Promise<boolean> {
  const refunded = await db
    .selectFrom("refund")
    .innerJoin("payment", "payment.uid", "refund.payment_uid")
    .select("payment.uid")
    .where((e) =>
      e.or([
        e("payment.uid", "=", payment_uid),
        e.and([
          e("payment.subscription_uid", "=", uid),
          e("payment.period_start", "is not", null),
          e("payment.covers_from", "is not", null),
        ]),
      ]),
    )
    .where("refund.status", "in", ["pending", "success"])
    .$if(endedSince !== null, (query) => query.where(isPaidBy(endedSince)))
    .groupBy(["payment.uid", "payment.amount"])
    .having(sql<boolean>`sum(refund.amount) >= payment.amount`)
    .having((e) => e.or([e(byOthers, ">", 0), e("payment.uid", "=", ended_by_payment ?? "")]))
    .executeTakeFirst();
  return refunded !== undefined;
}

/** Whether a payment is of a period that had begun then, or of none. */
const isPaidBy = (moment: string | null) => (e: ExpressionBuilder<Tables, "payment">) =>
  e.or([e("payment.covers_from", "is", null), e("payment.covers_from", "<=", moment)]);

/**
 * The moment from which a contract is over that was stopped in a period renewed without its notice, as a letter does.
 * Null after another stop: a period may follow it that was paid early, and earned the credit. A contract that ended
 * unpaid is not stopped by the letter, as its account stays: it is over since the period of which the rest went back.
 */
async function findEndByLetter(
  db: Database,
  { uid, cancelled_at, ended_at }: Contract,
): Promise<string | null> {
  if (ended_at === null) return null;
  if (cancelled_at === null) return findPeriodClaimed(db, uid);
  const moment = { from: cancelled_at, to: cancelled_at };
  const unannounced = await selectUnannounced(db, { uid }, moment).executeTakeFirst();
  return unannounced ? cancelled_at : null;
}

/** When the earliest period began of which a letter claimed the rest; null without one. */
async function findPeriodClaimed(db: Database, uid: string): Promise<string | null> {
  const claimed = await db
    .selectFrom("payment")
    .innerJoin("refund", "refund.payment_uid", "payment.uid")
    .select("payment.covers_from")
    .where("payment.subscription_uid", "=", uid)
    .where("refund.reason", "like", `${ENDED_BY_LETTER}%`)
    .orderBy("payment.covers_from")
    .executeTakeFirst();
  return claimed?.covers_from ?? null;
}

/**
 * How many refunds of a payment came of a rule, or were made at the provider. Not those of renewals since a letter,
 * which may have no other mark: a gesture may have given its own period back before.
 */
const byOthers = sql<number>`sum(case when refund.made_by = 'operator'
  or refund.reason like ${`${ENDED_BY_LETTER}%`} then 0 else 1 end)`;
