import { sql } from "kysely";
import {
  creditEvent,
  LONGEST_WITHDRAWAL_DAYS,
  type Credit,
  type Offer,
} from "../../../app/contract/subscriptions";
import { dayOf } from "../../../app/contract/day";
import { enqueue } from "../jobs/queue";
import { inTransaction } from "../database/transaction";
import type { Database, Tables } from "../database/tables";
import type { StoppedCredit } from "../mail/letters";
import { links } from "../mail/links";
import { z } from "zod/v4";
import type { SubscriptionContext } from "./context";
import { findCreditorEmail, mailCreditor } from "./letters";
import { findSubscription, lockSubscription, type Subscription } from "./lookup";
import { findUndecidedPayment } from "./store";
import { withdrawalDeadline } from "./withdrawal-deadline";

type Row = Tables["credit"];
type VoidReason = NonNullable<Row["void_reason"]>;

/** Kind of the job that makes a credit due when its delay ends, or voids it. */
export const CREDIT_DUE = "credit.due";
/** Kind of the job that mails a person that their credit was recorded as paid. */
export const CREDIT_PAID = "credit.paid";

const work = z.object({ subscriptionUid: z.string() });

/**
 * Stores the credit of a new contract with the conditions of its order, so that a later change of the
 * formula does not affect it. The first payment of a contract without a trial already pays a whole
 * period.
 */
export async function recordCredit(
  context: SubscriptionContext,
  subscription: Subscription,
  { creditAmount: amount, creditTerms: terms, trial }: Offer,
) {
  if (amount === undefined || !terms) return;
  await context.db
    .insertInto("credit")
    .values({
      subscription_uid: subscription.uid,
      amount,
      debtor: terms.debtor,
      way: terms.way,
      delay_days: terms.delayDays,
      delay_after: terms.delayAfter,
      conditions: terms.conditions,
      status: "awaited",
      created_at: context.clock.now().toISOString(),
    })
    .execute();
  if (terms.delayAfter === "order" || trial === null) await startCreditDelay(context, subscription);
}

/**
 * The first payment of a whole period begins the delay, unless the order did. A credit is not due while
 * the right of withdrawal lasts: it would be paid for a contract that is then given back whole.
 */
export async function startCreditDelay(
  context: SubscriptionContext,
  subscription: Pick<Subscription, "uid" | "started_at">,
) {
  const { db, clock, calendar } = context;
  const { uid } = subscription;
  await awaitCreditAgain({ db }, { uid });
  const credit = await findCredit(db, uid);
  if (credit?.status !== "awaited" || credit.due_at !== null) return;
  const agreed = calendar(clock.now(), credit.delay_days, "day");
  const withdrawable = withdrawalEnd(context, subscription);
  await scheduleDue({ db }, uid, agreed > withdrawable ? agreed : withdrawable);
}

/** End of the right of withdrawal, in the days of the calendar where the sandbox has shorter ones. */
function withdrawalEnd(
  { calendar }: Pick<SubscriptionContext, "calendar">,
  { started_at }: Pick<Subscription, "started_at">,
): Date {
  const start = new Date(started_at);
  const latest = calendar(start, LONGEST_WITHDRAWAL_DAYS, "day");
  const lawful = withdrawalDeadline(start);
  return latest < lawful ? latest : lawful;
}

/**
 * Restores the credit of a resumed contract that had ended before the delay began. A contract that was
 * withdrawn from is never resumed.
 */
export async function awaitCreditAgain(
  { db }: Pick<SubscriptionContext, "db">,
  { uid }: Pick<Subscription, "uid">,
) {
  await db
    .updateTable("credit")
    .set({ status: "awaited", void_reason: null, settled_at: null })
    .where("subscription_uid", "=", uid)
    .where("status", "=", "void")
    .where("due_at", "is", null)
    .execute();
}

/**
 * Makes the credit due at the end of the delay, or voids it. While a dispute or a withdrawal is open, it
 * is not known whether the payment is refunded, so the job runs again a day later.
 */
export async function settleCredit(context: SubscriptionContext, payload: unknown) {
  const { subscriptionUid } = work.parse(payload);
  await inTransaction(context, async (context) => {
    const { db, clock, calendar } = context;
    const subscription = await lockSubscription(db, subscriptionUid);
    const credit = await findCredit(db, subscriptionUid);
    if (!subscription || credit?.status !== "awaited") return;
    const { due_at: dueAt, amount, debtor, way } = credit;
    if (dueAt === null || dueAt > clock.now().toISOString()) return;
    const withdrawable = withdrawalEnd(context, subscription);
    if (withdrawable > clock.now()) return scheduleDue({ db }, subscriptionUid, withdrawable);
    const obstacle = await findObstacle(db, subscription);
    if (obstacle === "undecided") {
      return scheduleCheck({ db }, subscriptionUid, calendar(clock.now(), 1, "day"));
    }
    if (obstacle !== null) return voidCredit(context, subscription, obstacle);
    await db
      .updateTable("credit")
      .set({ status: "due" })
      .where("subscription_uid", "=", subscriptionUid)
      .execute();
    await mailCreditor(
      context,
      subscription,
      `credit-due:${subscriptionUid}`,
      (site, isFormer) => ({
        kind: "credit-due",
        site,
        amount,
        debtor,
        way,
        dueAt,
        reference: subscriptionUid,
        isFormer,
        url: isFormer ? links.contact(site) : links.subscription(site),
      }),
    );
  });
}

/** Voids the credit of a contract, unless it has been paid. */
export async function voidCredit(
  { db, clock }: Pick<SubscriptionContext, "db" | "clock">,
  { uid }: Pick<Subscription, "uid">,
  reason: VoidReason,
) {
  await db
    .updateTable("credit")
    .set({ status: "void", void_reason: reason, settled_at: clock.now().toISOString() })
    .where("subscription_uid", "=", uid)
    .where("status", "in", ["awaited", "due"])
    .execute();
}

/**
 * Voids the credit of a contract that ended before the delay began.
 * @returns the amount that is not owed any more; null when nothing changed
 */
export async function voidUnearnedCredit(
  context: Pick<SubscriptionContext, "db" | "clock">,
  subscription: Pick<Subscription, "uid">,
  reason: VoidReason = "ended",
): Promise<number | null> {
  const credit = await findCredit(context.db, subscription.uid);
  if (credit?.status !== "awaited" || credit.due_at !== null) return null;
  await voidCredit(context, subscription, reason);
  return credit.amount;
}

/**
 * What a stop does to the credit of a contract that has not ended, for the letter about the stop. Null
 * without a credit, and where it depends on something else, such as a debit whose outcome is unknown.
 */
export async function readStoppedCredit(
  db: Database,
  subscription: Subscription,
): Promise<StoppedCredit | null> {
  const credit = await findCredit(db, subscription.uid);
  if (!credit || subscription.ended_at !== null) return null;
  const { amount, due_at, status } = credit;
  if ((await findLapse(db, subscription, credit)) !== null) return { amount, isLost: true };
  const isOwed = due_at !== null && (status === "awaited" || status === "due");
  const isKept = isOwed && (await findObstacle(db, subscription)) === null;
  return isKept ? { amount, isLost: false } : null;
}

/** While the outcome of a debit is unknown, a stop may come too late to prevent it. */
async function findLapse(
  db: Database,
  subscription: Subscription,
  { status, due_at }: Row,
): Promise<Credit["lapse"] | null> {
  if (status !== "awaited" || due_at !== null || subscription.ended_at !== null) return null;
  const undecided = await findUndecidedPayment(db, subscription);
  // An open page is closed by the stop.
  if (undecided?.kind === "renewal" || undecided?.status === "pending") return null;
  return subscription.cancelled_at === null ? "if-stopped" : "stopped";
}

/**
 * Records that a paid credit is not owed any more, or is owed again, and logs it once: the software
 * cannot take back what was paid outside of it.
 */
export async function reviewPaidCredit(
  { db, log }: Pick<SubscriptionContext, "db" | "log">,
  { uid }: Pick<Subscription, "uid">,
) {
  const subscription = await findSubscription(db, uid);
  const credit = subscription && (await findCredit(db, uid));
  if (!subscription || credit?.status !== "paid") return;
  const reason = await findObstacle(db, subscription);
  if (reason === "undecided" || reason === credit.reclaim_reason) return;
  await db
    .updateTable("credit")
    .set({ reclaim_reason: reason })
    .where("subscription_uid", "=", uid)
    .execute();
  if (reason === null || credit.reclaim_reason !== null) return;
  const { amount, debtor } = credit;
  log.warn({ contract: uid, amount, debtor, reason }, "a credit was paid and is not owed any more");
}

type PayContext = Pick<SubscriptionContext, "db" | "clock" | "calendar">;

/** `recipient`: who will be mailed about it; null when no e-mail is kept. */
type Marked = { refusal: string } | { recipient: string | null };

/**
 * Marks a due credit as paid on a day, once. A job of the site mails its person: the caller may be a
 * command that does not know the site's name and address.
 * @returns in one sentence why it cannot be marked, or who is mailed
 */
export async function markCreditPaid(
  context: PayContext,
  reference: string,
  paidOn: string | null,
): Promise<Marked> {
  return inTransaction(context, async (context) => {
    const { db, clock } = context;
    const today = dayOf(clock.now());
    const day = paidOn ?? today;
    const subscription = await lockSubscription(db, reference);
    const credit = subscription && (await findCredit(db, reference));
    if (!credit) return { refusal: `No contract with a credit has the reference ${reference}` };
    const refusal = await whyUnpayable(context, subscription, credit);
    if (refusal !== null) return { refusal };
    if (day > today) return { refusal: `Not paid yet: ${day} is after today, ${today}` };
    if (paidOn !== null && day < dayOf(new Date(credit.created_at))) {
      return { refusal: `Not paid on ${day}: it was promised later` };
    }
    await db
      .updateTable("credit")
      .set({ status: "paid", paid_on: day, settled_at: clock.now().toISOString() })
      .where("subscription_uid", "=", reference)
      .where("status", "=", "due")
      .execute();
    await enqueue(db, {
      kind: CREDIT_PAID,
      key: `${CREDIT_PAID}:${reference}`,
      payload: { subscriptionUid: reference },
      runAt: clock.now(),
    });
    return { recipient: await findCreditorEmail(db, subscription) };
  });
}

/** Work of the job after a credit was marked as paid. */
export async function tellCreditPaid(context: SubscriptionContext, payload: unknown) {
  const { subscriptionUid } = work.parse(payload);
  await inTransaction(context, async (context) => {
    const subscription = await lockSubscription(context.db, subscriptionUid);
    const credit = subscription && (await findCredit(context.db, subscriptionUid));
    if (!subscription || !credit?.paid_on) return;
    const { amount, debtor, way, paid_on: paidOn } = credit;
    await mailCreditor(
      context,
      subscription,
      `credit-paid:${subscriptionUid}`,
      (site, isFormer) => ({
        kind: "credit-paid",
        site,
        amount,
        debtor,
        way,
        paidOn,
        reference: subscriptionUid,
        isFormer,
        url: isFormer ? links.contact(site) : links.subscription(site),
      }),
    );
  });
}

async function whyUnpayable(
  context: PayContext,
  subscription: Subscription,
  { status, paid_on, due_at, void_reason }: Row,
): Promise<string | null> {
  const { uid } = subscription;
  if (status === "paid") return `The credit of ${uid} was paid before, on ${paid_on}`;
  if (status === "void") return `The credit of ${uid} is not owed (${void_reason})`;
  if (status === "awaited") {
    const when =
      due_at === null ? "its first whole period is not paid" : `it is due from ${due_at}`;
    return `The credit of ${uid} is not due: ${when}`;
  }
  const obstacle = await findObstacle(context.db, subscription);
  if (obstacle === null) {
    const withdrawable = withdrawalEnd(context, subscription);
    // Earlier releases made credits due while the contract could still be given back.
    const isEarly = due_at !== null && due_at < withdrawable.toISOString();
    if (!isEarly || withdrawable <= context.clock.now()) return null;
    return `The credit of ${uid} waits: the contract can be withdrawn from until ${withdrawable.toISOString()}`;
  }
  return obstacle === "undecided"
    ? `The credit of ${uid} waits: the person or the bank may take the contract's money back`
    : `The credit of ${uid} is not owed any more (${obstacle})`;
}

/**
 * Why the credit of a contract is not owed, whatever its delay: a payment was refunded, or lost in a
 * dispute. `undecided`: a dispute or a withdrawal is still open.
 */
async function findObstacle(
  db: Database,
  { uid, payment_uid, withdrawn_at }: Subscription,
): Promise<Exclude<VoidReason, "ended"> | "undecided" | null> {
  if (withdrawn_at !== null) return "withdrawn";
  const claims = await db
    .selectFrom("payment_claim")
    .innerJoin("payment", "payment.uid", "payment_claim.payment_uid")
    .select("payment_claim.status")
    .where((e) =>
      e.or([e("payment.uid", "=", payment_uid), e("payment.subscription_uid", "=", uid)]),
    )
    .where("payment_claim.kind", "=", "dispute")
    .where("payment_claim.status", "in", ["open", "lost"])
    .execute();
  if (claims.some(({ status }) => status === "lost")) return "disputed";
  if (await isRefunded(db, { uid, payment_uid })) return "refunded";
  return claims.length > 0 || (await isWithdrawalOpen(db, uid)) ? "undecided" : null;
}

/**
 * Whether a payment of the contract was refunded in full. A partial refund does not count, nor a payment
 * that paid no period or a period that will not begin.
 */
async function isRefunded(
  db: Database,
  { uid, payment_uid }: Pick<Subscription, "uid" | "payment_uid">,
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
    .groupBy(["payment.uid", "payment.amount"])
    .having(sql<boolean>`sum(refund.amount) >= payment.amount`)
    .executeTakeFirst();
  return refunded !== undefined;
}

async function isWithdrawalOpen(db: Database, subscriptionUid: string): Promise<boolean> {
  const notice = await db
    .selectFrom("contract_notice")
    .select("uid")
    .where("subscription_uid", "=", subscriptionUid)
    .where("kind", "=", "withdrawal")
    .where("undone_at", "is", null)
    .where("settled_at", "is", null)
    .executeTakeFirst();
  return notice !== undefined;
}

/** The credit of a contract as its person sees it; null without one. */
export async function readCredit(db: Database, subscription: Subscription): Promise<Credit | null> {
  const row = await findCredit(db, subscription.uid);
  if (!row) return null;
  const lapse = await findLapse(db, subscription, row);
  return { ...creditOf(row), ...(lapse && { lapse }) };
}

export function creditOf(row: Row): Credit {
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

function findCredit(db: Database, subscriptionUid: string): Promise<Row | undefined> {
  return db
    .selectFrom("credit")
    .selectAll()
    .where("subscription_uid", "=", subscriptionUid)
    .executeTakeFirst();
}

/** Writes when the credit falls due, and schedules the job for then. */
async function scheduleDue({ db }: { db: Database }, subscriptionUid: string, due: Date) {
  await db
    .updateTable("credit")
    .set({ due_at: due.toISOString() })
    .where("subscription_uid", "=", subscriptionUid)
    .execute();
  await scheduleCheck({ db }, subscriptionUid, due);
}

async function scheduleCheck({ db }: { db: Database }, subscriptionUid: string, runAt: Date) {
  const key = `${CREDIT_DUE}:${subscriptionUid}:${runAt.toISOString()}`;
  await enqueue(db, { kind: CREDIT_DUE, key, payload: { subscriptionUid }, runAt });
}
