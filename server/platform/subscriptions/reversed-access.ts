import { graceAfter } from "../../../app/contract/periods";
import type { Tables } from "../database/tables";
import type { Payment } from "../money/payments";
import { awaitCreditAgain, mailNotDue, voidUnearnedCredit } from "./credits";
import { findCredit } from "./credit-row";
import { endSubscription } from "./end";
import { mailOwner } from "../mail/contract-mail";
import { debitOf, nextDebitOf } from "./next-debit";
import { scheduleClosingOrder } from "./open-page";
import { GIVEN_UP } from "../money/owed-refunds";
import { refundComingPeriods, type PeriodPayment } from "./paid-period";
import { findPlannedEnd } from "./planned-stop";
import { scheduleAnnouncements, scheduleDeletion, schedulePeriod } from "./schedule";
import {
  findSubscription,
  selectNewestFirst,
  type SubscriptionRow,
} from "../database/subscription-row";
import { refundRestSince } from "./unannounced";
import { isDeleted, updateSubscription } from "./store";
import type { SubscriptionContext } from "./context";
import { findHeldEnd } from "./written-end";

/**
 * Ends access after the money of its period went back. A dispute has its own letter. The account
 * stays unless its owner had stopped the subscription.
 */
export async function endReversedAccess(
  context: SubscriptionContext,
  subscription: SubscriptionRow,
  payment: Payment,
  dispute: Tables["payment_claim"] | undefined,
) {
  if (subscription.ended_at !== null) return;
  const { uid, cancelled_at } = subscription;
  const at = context.clock.now();
  const credit = await findCredit(context.db, uid);
  const change = { ended_at: at.toISOString(), grace_until: null };
  const ended = await updateSubscription(context.db, uid, change);
  // A period that is given back may be the one from which the delay of the credit counts.
  await refundComingPeriods(context, ended);
  const shortened = await findSubscription(context.db, uid);
  // For when the money returns.
  if (shortened && shortened.expires_at !== ended.expires_at)
    await schedulePeriod(context, shortened);
  if (dispute) {
    const { reference, amount } = dispute;
    const lost = await voidUnearnedCredit(context, subscription, "disputed");
    // No letter about the end names the loss.
    if (credit?.status === "due" && lost !== null)
      await mailNotDue(context, subscription, credit, "disputed");
    if (cancelled_at !== null) await scheduleDeletion(context, subscription);
    await mailOwner(context, subscription, `disputed:${reference}`, (site) => ({
      kind: "payment-disputed",
      site,
      amount,
    }));
  } else {
    await endSubscription(context, subscription, { at, cause: "returned" });
  }
  await updateSubscription(context.db, uid, { ended_by_payment: payment.uid });
  context.log.warn(
    { subscription: uid, payment: payment.uid },
    "access ended: its payment went back",
  );
}

/**
 * Resumes access after the money came back, for example after a dispute was won. Who wrote meanwhile to end an
 * unannounced period gets its rest back instead, also beside another contract. When the person
 * bought another contract for these days, the operator must decide: a bounced refund by hand is
 * still owed, while a won dispute may be owed in part or not at all.
 */
export async function resumeAccess(
  context: SubscriptionContext,
  subscription: SubscriptionRow,
  payment: PeriodPayment,
) {
  const { uid, account_uid, ended_by_payment, expires_at, cancelled_at } = subscription;
  if (ended_by_payment !== payment.uid || subscription.withdrawn_at !== null) return;
  const writtenAt = await findHeldEnd(context.db, uid);
  if (writtenAt !== null) return giveRestBack(context, subscription, payment, writtenAt);
  // Access does not resume, but a second payment for the same days may be owed back.
  const isErased = await isDeleted(context.db, account_uid);
  const isOver = expires_at <= context.clock.now().toISOString() || isErased;
  const bought = await findBoughtSince(context, subscription);
  if (bought && (isOver || bought.ended_at === null)) {
    return logPaidTwice(context, subscription, payment, bought);
  }
  if (isErased) return giveRestBack(context, subscription, payment, null);
  if (isOver) return;
  const grace = graceAfter(new Date(expires_at), context.calendar).toISOString();
  const resumed = await updateSubscription(context.db, uid, {
    ended_at: null,
    ended_by_payment: null,
    grace_until: cancelled_at === null ? grace : null,
  });
  await scheduleClosingOrder(context, account_uid);
  await awaitCreditAgain(context, resumed);
  if (cancelled_at === null) await scheduleAnnouncements(context, resumed);
  context.log.info({ subscription: uid, payment: payment.uid }, "access returned with its payment");
  const isRefundGivenUp = await isGivenUpLast(context, payment);
  const debit = debitOf(resumed, await nextDebitOf(context, resumed));
  const plannedEnd = await findPlannedEnd(context, resumed);
  await mailOwner(
    context,
    resumed,
    `returned:${payment.uid}:${context.clock.now().toISOString()}`,
    (site) => ({
      kind: "access-returned",
      site,
      openUntil: expires_at,
      isRefundGivenUp,
      debit,
      plannedEnd,
    }),
  );
}

/**
 * Gives back the rest of an unannounced period, once: its person left for good while the bank decided, or had written
 * before to end it.
 */
async function giveRestBack(
  context: SubscriptionContext,
  { uid, ended_at }: SubscriptionRow,
  payment: PeriodPayment,
  writtenAt: string | null,
) {
  if (ended_at === null || payment.unannounced !== 1) return;
  await updateSubscription(context.db, uid, { ended_by_payment: null });
  const isWrittenFirst = writtenAt !== null && writtenAt < ended_at;
  await refundRestSince(context, payment, isWrittenFirst ? writtenAt : ended_at);
}

/**
 * Whether access resumes because our refund was given up: its money may never have left. Otherwise a bank gave it
 * back, with a dispute that was won or a refund that bounced.
 */
async function isGivenUpLast({ db }: Pick<SubscriptionContext, "db">, { uid }: Payment) {
  const refunds = await db
    .selectFrom("refund")
    .select(["made_by", "settled_at"])
    .where("payment_uid", "=", uid)
    .where("status", "in", GIVEN_UP)
    .execute();
  const disputes = await db
    .selectFrom("payment_claim")
    .select("closed_at")
    .where("payment_uid", "=", uid)
    .where("kind", "=", "dispute")
    .where("status", "=", "won")
    .execute();
  const bounced = refunds.filter(({ made_by }) => made_by === "provider");
  const givenUp = refunds.filter(({ made_by }) => made_by !== "provider");
  const cameBack = [
    ...bounced.map(({ settled_at }) => settled_at),
    ...disputes.map(({ closed_at }) => closed_at),
  ];
  return newestOf(givenUp.map(({ settled_at }) => settled_at)) > newestOf(cameBack);
}

const newestOf = (moments: (string | null)[]) =>
  moments.reduce<string>((newest, one) => (one !== null && one > newest ? one : newest), "");

/** Finds the newest contract that began in the remaining days of one that had ended early. */
async function findBoughtSince(
  { db }: SubscriptionContext,
  { uid, account_uid, ended_at, expires_at }: SubscriptionRow,
) {
  if (ended_at === null) return undefined;
  return selectNewestFirst(db, account_uid)
    .select(["uid", "ended_at"])
    .where("uid", "!=", uid)
    .where("withdrawn_at", "is", null)
    .where("started_at", ">=", ended_at)
    .where("started_at", "<", expires_at)
    .executeTakeFirst();
}

/** Logs a double payment, once: the contract no longer waits for that money. */
async function logPaidTwice(
  { db, log }: SubscriptionContext,
  { uid }: SubscriptionRow,
  payment: Payment,
  bought: { uid: string },
) {
  await updateSubscription(db, uid, { ended_by_payment: null });
  const fields = { payment: payment.uid, amount: payment.amount, subscription: uid };
  log.error(
    { ...fields, reference: payment.gateway_reference, bought: bought.uid },
    "paid twice for the same days: give the payment back by hand unless it is due",
  );
}
