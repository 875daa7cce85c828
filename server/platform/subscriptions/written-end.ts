import { z } from "zod/v4";
import { startOfDate, startOfDay } from "../../../app/contract/calendar";
import { dayOf } from "../../../app/contract/day";
import type { Database } from "../database/tables";
import { inTransaction } from "../database/transaction";
import { enqueue, hasKeyOf } from "../jobs/queue";
import { whyDisputed } from "../money/claims";
import { readLeft } from "../money/owed-refunds";
import type { Payment } from "../money/payments";
import { ENDED_BY_LETTER, refundPayment } from "../money/refunds";
import type { SubscriptionContext } from "./context";
import { isLeaving } from "./due";
import { endSubscription } from "./end";
import { findContractEmail, findOwnEmail, mailOwner } from "../mail/contract-mail";
import { isOnHold } from "./lookup";
import { lockSubscription, type SubscriptionRow } from "../database/subscription-row";
import { scheduleClosing } from "./open-page";
import { refundComingPeriods, type PeriodPayment } from "./paid-period";
import { scheduleDeletion } from "./schedule";
import { updateSubscription } from "./store";
import { forgetPassedTerms } from "./terms-change";
import { findUnannouncedPayment, orderClaimed, orderRest, readRestSince } from "./unannounced";

/** Kind of the job that follows the end of a contract whose person wrote to end it. */
export const WRITTEN_END = "subscription.written-end";

/**
 * `rest`: cents that are given back of the period in which it was written. `renewed`: uids of the payments of later
 * periods; a job of an earlier release has none. `heldSince`: the moment from which a letter counts whose contract is
 * on hold; a job with it is open as long as the money may return. `isTold`: its person was mailed the end, as where
 * the contract had ended before. `declaredOn`: the day of a letter that found the contract ended.
 */
const work = z.object({
  subscriptionUid: z.string(),
  rest: z.int(),
  renewed: z.array(z.string()).optional(),
  heldSince: z.string().optional(),
  isTold: z.boolean().optional(),
  declaredOn: z.string().optional(),
});
type Work = z.infer<typeof work>;

type Store = Pick<SubscriptionContext, "db" | "clock" | "calendar">;

/**
 * `rest`: cents that go back now. `isHeld`: the contract is on hold, and does not go on when its money returns.
 * `disputed`: in one sentence why the rest of the letter's own period cannot go back yet; null where it can.
 * `recipient`: who will be mailed about it; null where no address is kept.
 */
type Ended =
  | { refusal: string }
  | { done: string }
  | { rest: number; isHeld: boolean; disputed: string | null; recipient: string | null };

/**
 * Ends a contract now, whose person wrote on a day to end it, in a period that was renewed without its notice
 * (L215-1); once. What is given back counts from that day, however late it is entered: the rest of its period, and
 * as a whole what was renewed since; of a contract that has ended meanwhile, what has not gone back yet. While a bank
 * decides on the payment of that period, the end is kept for when its money returns. A job of the site mails its person: the caller may be a command that does not
 * know the site's name and address.
 * @returns in one sentence why it cannot be ended or that it ended before, or the cents that are given back
 */
export async function endByLetter(
  context: Store,
  reference: string,
  declaredOn: string,
): Promise<Ended> {
  return inTransaction(context, async (context) => {
    const { db, clock } = context;
    const subscription = await lockSubscription(db, reference);
    if (!subscription) return { refusal: `There is no contract ${reference}` };
    const today = dayOf(clock.now());
    if (declaredOn > today) {
      return { refusal: `Not declared yet: ${declaredOn} is after today, ${today}` };
    }
    const { uid, ended_at } = subscription;
    const payment = await findPaymentOfDay(db, subscription, declaredOn);
    if (ended_at !== null) {
      if (!payment) {
        if (isOnHold(subscription, clock.now())) return { refusal: whyNotEnded(uid, declaredOn) };
        return { done: describeEnded(uid, ended_at) };
      }
      const ended = { ...subscription, ended_at };
      return payment.uid === subscription.ended_by_payment
        ? keepHeld(context, subscription, momentOf(declaredOn, payment))
        : completeEnd(context, ended, payment, declaredOn);
    }
    if (!payment) return { refusal: whyNotEnded(uid, declaredOn) };
    const declaredAt = momentOf(declaredOn, payment);
    const disputed = await whyDisputed(db, payment.uid);
    const amount = disputed === null ? await readRestSince(context, payment, declaredAt) : 0;
    const later = await findRenewedSince(db, uid, payment);
    const rest = amount + (await sumLeft(db, later));
    if (rest === 0) {
      return { refusal: disputed === null ? whyNothingLeft(payment) : whenClosed(disputed) };
    }
    if (amount > 0) await orderRest(context, { payment, amount });
    await stopSince(context, subscription, declaredAt);
    await updateSubscription(db, uid, { ended_at: clock.now().toISOString(), grace_until: null });
    const renewed = later.map((payment) => payment.uid);
    await enqueueWork(context, { subscriptionUid: uid, rest: amount, renewed }, clock.now());
    const recipient = await findOwnEmail(db, subscription.account_uid);
    return { rest, isHeld: false, disputed: disputed && whenClosed(disputed), recipient };
  });
}

/**
 * Gives back what a letter claims beyond the end of its contract, which ended otherwise meanwhile. One that is on hold
 * by the payment of a later period does not go on.
 */
async function completeEnd(
  context: Store,
  subscription: SubscriptionRow & { ended_at: string },
  payment: PeriodPayment,
  day: string,
): Promise<Ended> {
  const { db, clock } = context;
  const { uid: subscriptionUid, withdrawn_at, cancelled_at } = subscription;
  if (withdrawn_at !== null) return { done: `The contract ${subscriptionUid} was withdrawn from` };
  const known = await findWork(db, subscriptionUid);
  if (known?.heldSince !== undefined) return { done: describeRecorded(subscriptionUid) };
  const ended = describeEnded(subscriptionUid, subscription.ended_at);
  if (known) return { done: ended };
  const disputed = await whyDisputed(db, payment.uid);
  if (disputed !== null) return { refusal: whenClosed(disputed) };
  const isHeld = await mayReturn(context, subscription);
  const declaredAt = momentOf(day, payment);
  const amount = await orderClaimed(context, payment, { day, since: declaredAt });
  const later = await findRenewedSince(db, subscriptionUid, payment);
  const rest = amount + (await sumLeft(db, later));
  if (rest === 0 && !isHeld) return { done: ended };
  if (isHeld || cancelled_at !== null) await stopSince(context, subscription, declaredAt);
  const renewed = later.map(({ uid }) => uid);
  const work = isHeld ? { heldSince: declaredAt.toISOString() } : { isTold: true };
  const letter = { declaredOn: day, ...work };
  await enqueueWork(context, { subscriptionUid, rest: amount, renewed, ...letter }, clock.now());
  const recipient = await findContractEmail(db, subscription);
  return { rest, isHeld, disputed: null, recipient };
}

/** Whether the money of the payment that ended a contract may return. */
async function mayReturn({ db, clock }: Store, ended: SubscriptionRow): Promise<boolean> {
  const { ended_by_payment } = ended;
  if (ended_by_payment === null) return false;
  return isOnHold(ended, clock.now()) || (await whyDisputed(db, ended_by_payment)) !== null;
}

/** Keeps the end of a contract on hold: nothing can go back yet, and it must not go on when the money returns. */
async function keepHeld(
  context: Store,
  subscription: SubscriptionRow,
  declaredAt: Date,
): Promise<Ended> {
  const { db, clock } = context;
  const { uid: subscriptionUid, withdrawn_at } = subscription;
  if (withdrawn_at !== null) return { done: `The contract ${subscriptionUid} was withdrawn from` };
  if ((await findHeldEnd(db, subscriptionUid)) !== null) {
    return { done: describeRecorded(subscriptionUid) };
  }
  await stopSince(context, subscription, declaredAt);
  const heldSince = declaredAt.toISOString();
  await enqueueWork(context, { subscriptionUid, rest: 0, heldSince }, clock.now());
  const recipient = await findOwnEmail(db, subscription.account_uid);
  return { rest: 0, isHeld: true, disputed: null, recipient };
}

/** Reads from when the letter counts that ended a contract on hold; null where none did. */
export async function findHeldEnd(db: Database, uid: string): Promise<string | null> {
  return (await findWork(db, uid))?.heldSince ?? null;
}

async function findWork(db: Database, uid: string): Promise<Work | undefined> {
  const job = await db
    .selectFrom("job")
    .select("payload")
    .where(hasKeyOf(`${WRITTEN_END}:${uid}`))
    .where("done_at", "is", null)
    .executeTakeFirst();
  return job && work.parse(JSON.parse(job.payload));
}

const enqueueWork = ({ db }: Pick<Store, "db">, payload: Work, runAt: Date) =>
  enqueue(db, {
    kind: WRITTEN_END,
    key: `${WRITTEN_END}:${payload.subscriptionUid}:${runAt.toISOString()}`,
    payload,
    runAt,
  });

/** The end by letter takes the place of an earlier stop, so that no link of a notice undoes it. */
async function stopSince(
  context: Pick<Store, "db" | "clock">,
  subscription: SubscriptionRow,
  declaredAt: Date,
) {
  // As with the owner's own stop: a version of the terms that the earlier stop declined would count otherwise.
  if (subscription.cancelled_at !== null) await forgetPassedTerms(context, subscription);
  const cancelled_at = declaredAt.toISOString();
  await updateSubscription(context.db, subscription.uid, { cancelled_at });
}

/** Gives back the periods that were renewed since it was written, and mails the end with what is given back. */
export async function followWrittenEnd(context: SubscriptionContext, payload: unknown) {
  const written = work.parse(payload);
  const { subscriptionUid, rest, renewed: uids = [], heldSince, isTold = false } = written;
  const reason = written.declaredOn === undefined ? null : ENDED_BY_LETTER + written.declaredOn;
  await inTransaction(context, async (context) => {
    const ended = await lockSubscription(context.db, subscriptionUid);
    if (!ended?.ended_at) return;
    const later = await findPayments(context.db, uids);
    const renewed = await sumLeft(context.db, later);
    const isEndedNow = heldSince === undefined && !isTold;
    if (isEndedNow) await refundComingPeriods(context, ended);
    // Of what a bank decides on, once it has returned.
    for (const payment of later) await refundPayment(context, payment, reason);
    if (heldSince !== undefined) return followHeld(context, ended, { ...written, heldSince });
    if (!isEndedNow) return;
    await endSubscription(context, ended, { at: new Date(ended.ended_at), rest, renewed });
    await scheduleClosing(context, ended.account_uid);
  });
}

/** Mails that the contract is stopped, and keeps its end as long as the money may return. */
async function followHeld(
  context: SubscriptionContext,
  ended: SubscriptionRow,
  { isTold = false, ...written }: Work & { heldSince: string },
) {
  const { db, clock, calendar } = context;
  const { uid, ended_at } = ended;
  if (ended_at === null || !(await mayReturn(context, ended))) return;
  if (!isTold) {
    await scheduleDeletion(context, ended);
    const isLeft = await isLeaving(db, ended.account_uid);
    await mailOwner(context, ended, `stop:${uid}:${written.heldSince}`, (site) => ({
      kind: "stop-confirmed",
      site,
      receivedAt: written.heldSince,
      endsAt: ended_at,
      isOnHold: true,
      credit: null,
      undecidedDebit: null,
      isUnannounced: false,
      isWrittenEnd: true,
      besideOther: isLeft ? null : { reference: uid, orderedAt: ended.started_at },
    }));
  }
  await enqueueWork(context, { ...written, isTold: true }, calendar(clock.now(), 1, "day"));
}

/** Of a day on which one period met the next it is the earlier one: nobody knows the hour of a letter. */
function findPaymentOfDay(db: Database, subscription: SubscriptionRow, day: string) {
  const from = startOfDate(day);
  const to = new Date(startOfDay(from, 1).getTime() - 1);
  return findUnannouncedPayment(db, subscription, { from, to });
}

/**
 * The moment from which a letter of that day counts: the beginning of the day, or of the period. A stop that a
 * notice planned may have that very moment, and a link that undoes it, so this one comes right after.
 */
function momentOf(day: string, { covers_from }: PeriodPayment): Date {
  const start = Math.max(startOfDate(day).getTime(), Date.parse(covers_from));
  return new Date(start + 1);
}

const findRenewedSince = (db: Database, uid: string, { covers_from }: PeriodPayment) =>
  db
    .selectFrom("payment")
    .selectAll()
    .where("subscription_uid", "=", uid)
    .where("status", "=", "success")
    .where("period_start", "is not", null)
    .where("covers_from", ">", covers_from)
    .orderBy("covers_from")
    .execute();

async function findPayments(db: Database, uids: readonly string[]): Promise<Payment[]> {
  if (uids.length === 0) return [];
  return db.selectFrom("payment").selectAll().where("uid", "in", uids).execute();
}

async function sumLeft(db: Database, payments: readonly Payment[]): Promise<number> {
  let left = 0;
  for (const payment of payments) left += await readLeft(db, payment);
  return left;
}

const describeEnded = (uid: string, endedAt: string) =>
  `The contract ${uid} ended before, on ${dayOf(new Date(endedAt))}`;

const describeRecorded = (uid: string) => `The end of ${uid} is recorded already`;

const whenClosed = (disputed: string) =>
  `${disputed}: enter the end again once the dispute is closed`;

const OTHERWISE =
  "its person may stop the renewal (/cancel-contract) or, in time, withdraw (see withdraw)";

const whyNotEnded = (uid: string, day: string) =>
  `The period of ${uid} on ${day} was not renewed without its notice, so that nothing of it goes back; ${OTHERWISE}`;

const whyNothingLeft = ({ uid }: PeriodPayment) =>
  `Nothing is left of ${uid}, which paid that period: its cents went back, or are on their way; ${OTHERWISE}`;
