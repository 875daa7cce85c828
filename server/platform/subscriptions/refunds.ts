import { DAY_MS, HOUR_MS, MINUTE_MS } from "../ports/durations";
import type { Selectable } from "kysely";
import { z } from "zod/v4";
import { enqueue } from "../jobs/queue";
import { newUid } from "../ports/ids";
import type { RefundDecision, Reversals } from "../ports/payment-gateway";
import type { Database, Tables } from "../database/tables";
import { findPayment, isUnsettled, paymentNameOf, type Payment } from "./payments";
import { inTransaction } from "../database/transaction";
import type { PaymentContext } from "./context";
import type { Letter, RefundedPayment, Site } from "../mail/letters";
import { links } from "../mail/links";
import { mailCreditor, mailPayer } from "./letters";
import { findContractOf, type Subscription } from "./lookup";
import type { SubscriptionContext } from "./context";

/** Kind of the job that refunds a payment at the provider. */
export const REFUND = "payment.refund";

/** Kind of the job that lets access follow a refund that an operator ordered. */
export const ORDERED_REFUND = "payment.ordered-refund";

/** Delays between attempts after a failure; after the last one the operator must refund by hand. */
const RETRY_MS = [MINUTE_MS, HOUR_MS, DAY_MS, 3 * DAY_MS] as const;

/** From the first attempt to the last one. */
export const ATTEMPTS_MS = RETRY_MS.reduce((sum: number, delay) => sum + delay, 0);

/** Limit that includes the attempts after a bounced refund by hand. */
const MAX_TRIES = 10;

/**
 * Checks of an undecided refund: at doubling intervals, then once a day. Disputes last up to four
 * months; a refund that is undecided after six is given up.
 */
const MAX_ROUNDS = 190;

/** `attempt` counts the runs of the job, not the attempts of the refund. */
const work = z.object({ refundUid: z.string(), attempt: z.int() });
type Work = z.infer<typeof work>;
export type Refund = Selectable<Tables["refund"]>;

/** Refunds a payment, once: the row is inserted here, a job calls the provider. */
export async function refundPayment({ db, clock }: SubscriptionContext, { uid, amount }: Payment) {
  // A free trial leaves nothing to give back.
  if (amount === 0) return;
  const now = clock.now();
  const refund = await db
    .insertInto("refund")
    .values({
      uid: newUid(),
      payment_uid: uid,
      amount,
      status: "pending",
      created_at: now.toISOString(),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning("uid")
    .executeTakeFirst();
  if (refund) await scheduleRefund({ db }, { refundUid: refund.uid, attempt: 1 }, now);
}

export type RefundOrder = { amount: number; by: string; reason: string };

/**
 * Begins a refund that an operator ordered: the same job makes it, and another one lets access follow. The
 * caller has checked the amount with the account locked.
 */
export async function beginOrderedRefund(
  { db, clock }: Pick<SubscriptionContext, "db" | "clock">,
  { uid: payment_uid }: Payment,
  { amount, by, reason }: RefundOrder,
) {
  const [uid, now] = [newUid(), clock.now()];
  await db
    .insertInto("refund")
    .values({
      uid,
      payment_uid,
      amount,
      status: "pending",
      created_at: now.toISOString(),
      made_by: "operator",
      ordered_by: by,
      reason,
    })
    .execute();
  await scheduleRefund({ db }, { refundUid: uid, attempt: 1 }, now);
  await scheduleFollowing({ db }, payment_uid, `${ORDERED_REFUND}:${uid}`, now);
}

/**
 * Reads the amount that the platform's own refund of a payment has returned or will return, without
 * refunds by hand and disputed amounts; `owed` is what an operator has to give back, as it was given up.
 */
export async function readOwnRefund({ db }: Pick<SubscriptionContext, "db">, payment: Payment) {
  const ownRefund = await db
    .selectFrom("refund")
    .select(["uid", "status", "amount"])
    .where("payment_uid", "=", payment.uid)
    .where("made_by", "=", "platform")
    .executeTakeFirst();
  switch (ownRefund?.status) {
    case "success":
      return { amount: ownRefund.amount, isDone: true, owed: 0 };
    case "pending":
      return { amount: await readLeft(db, payment, ownRefund.uid), isDone: false, owed: 0 };
    case "failure":
      return { amount: 0, isDone: true, owed: await readLeft(db, payment) };
    case "cancelled":
    case undefined:
      return { amount: 0, isDone: true, owed: 0 };
  }
}

/**
 * Reads the cents of a payment that neither went back nor are on their way, and that no dispute holds or has
 * taken.
 * @param without uid of a refund that does not count
 */
export async function readLeft(
  db: Database,
  { uid, amount }: Pick<Payment, "uid" | "amount">,
  without = "",
): Promise<number> {
  const refunds = await db
    .selectFrom("refund")
    .select("amount")
    .where("payment_uid", "=", uid)
    .where("status", "in", ["pending", "success"])
    .where("uid", "!=", without)
    .execute();
  const disputes = await db
    .selectFrom("payment_claim")
    .select("amount")
    .where("payment_uid", "=", uid)
    .where("kind", "=", "dispute")
    .where("status", "!=", "won")
    .execute();
  const gone = [...refunds, ...disputes].reduce((sum, one) => sum + one.amount, 0);
  return Math.max(0, amount - gone);
}

/** Tells whether a refund to the account is pending. */
export async function hasPendingRefund(db: Database, accountUid: string): Promise<boolean> {
  const pending = selectRefundsTo(db, accountUid).where("refund.status", "=", "pending");
  return (await pending.executeTakeFirst()) !== undefined;
}

/** Tells whether a refund to the account that began after `since` has not been made: pending, or given up. */
export async function isRefundOwed(db: Database, accountUid: string, since: Date) {
  return isAnyOwed(
    db,
    selectRefundsTo(db, accountUid).where("refund.created_at", ">", since.toISOString()),
  );
}

/** Tells whether a refund of a payment for the contract has not been made: pending, or given up. */
export async function owesRefundOf(db: Database, { uid, payment_uid, account_uid }: Subscription) {
  const ofContract = selectRefundsTo(db, account_uid).where((e) =>
    e.or([e("payment.uid", "=", payment_uid), e("payment.subscription_uid", "=", uid)]),
  );
  return isAnyOwed(db, ofContract);
}

const selectRefundsTo = (db: Database, accountUid: string) =>
  db
    .selectFrom("refund")
    .innerJoin("payment", "payment.uid", "refund.payment_uid")
    .select(["payment.uid", "payment.amount", "refund.status", "refund.made_by"])
    .where("payment.account_uid", "=", accountUid);

/** An order of an operator that was given up is theirs to make again. */
async function isAnyOwed(db: Database, refunds: ReturnType<typeof selectRefundsTo>) {
  for (const { status, made_by, ...payment } of await refunds.execute()) {
    if (status === "pending") return true;
    const isGivenUp = status === "failure" && made_by === "platform";
    if (isGivenUp && (await readLeft(db, payment)) > 0) return true;
  }
  return false;
}

/** Refunds what is left of a payment, or what was ordered; runs until the refund has ended. */
export async function processRefund(context: PaymentContext, payload: unknown) {
  const { refundUid, attempt: round } = work.parse(payload);
  const refund = await findRefund(context, refundUid);
  if (refund?.status !== "pending") return;
  const payment = await findPayment(context.db, refund.payment_uid);
  if (!payment) return;
  const state = stateOf(payment, refund, await context.gateway.reversals(paymentNameOf(payment)));
  const answer =
    state.kind === "due" ? await requestRefund(context, payment, refund, state.amount) : state;
  await inTransaction(context, async (context) => {
    await recordAnswer(context, { refund, payment, answer, round });
    await forgetPaidBack(context, payment.uid);
  });
}

/** Clears the e-mail that an erased person's payment keeps, once nothing of it is owed or may become so. */
export async function forgetPaidBack({ db }: Pick<SubscriptionContext, "db">, uid: string) {
  const payment = await findPayment(db, uid);
  if (!payment || payment.payer_email === null || isUnsettled(payment)) return;
  const isPending = await selectRefundsTo(db, payment.account_uid)
    .where("payment.uid", "=", uid)
    .where("refund.status", "=", "pending")
    .executeTakeFirst();
  const isOwed = payment.status === "success" && (await readLeft(db, payment)) > 0;
  if (isPending || isOwed) return;
  await db.updateTable("payment").set({ payer_email: null }).where("uid", "=", uid).execute();
}

/** The state of a refund. `cancelled`: the whole payment went back in other ways. */
type State =
  | { kind: "due"; amount: number }
  | { kind: "cancelled" }
  | { kind: RefundDecision["status"]; amount: number };
type Answer = Exclude<State, { kind: "due" }>;

/**
 * The state of a refund at the provider. During a dispute it waits, because the bank may return the
 * money itself. Amounts returned by the bank or by hand are not refunded again.
 */
function stateOf(payment: Payment, refund: Refund, { refunds, claims }: Reversals): State {
  // An earlier attempt whose answer was lost may have been made all the same.
  const isOwn = ({ refundUid, attempt, status }: Reversals["refunds"][number]) =>
    refundUid === refund.uid && (attempt === refund.attempt || status !== "failure");
  const ownRefund = refunds.find(isOwn);
  if (ownRefund) return { kind: ownRefund.status, amount: ownRefund.amount };
  const disputes = claims.filter(({ kind }) => kind === "dispute");
  if (disputes.some(({ status }) => status === "open")) {
    return { kind: "pending", amount: refund.amount };
  }
  const gone = [
    ...refunds.filter(({ status }) => status !== "failure"),
    ...disputes.filter(({ status }) => status === "lost"),
  ];
  const left = payment.amount - gone.reduce((sum, one) => sum + one.amount, 0);
  return left > 0 ? { kind: "due", amount: askedOf(refund, left) } : { kind: "cancelled" };
}

/** An operator ordered an amount; a rule gives back whatever is left. */
const askedOf = ({ made_by, amount }: Refund, left: number) =>
  made_by === "operator" ? Math.min(amount, left) : left;

async function requestRefund(
  context: PaymentContext,
  payment: Payment,
  { uid: refundUid, attempt, made_by }: Refund,
  amount: number,
): Promise<Answer> {
  const email = await readEmail(context, payment);
  const isPart = made_by === "operator";
  const request = { refundUid, attempt, payment: paymentNameOf(payment), email, amount, isPart };
  const { status } = await context.gateway.refund(request);
  return { kind: status, amount };
}

type Answered = { refund: Refund; payment: Payment; answer: Answer; round: number };

async function recordAnswer(
  context: SubscriptionContext,
  { refund, payment, answer, round }: Answered,
) {
  switch (answer.kind) {
    case "pending":
      if (round >= MAX_ROUNDS) return giveUp(context, refund);
      return scheduleNextCheck(context, refund, round);
    case "cancelled":
      await updateRefund(context, refund, { status: "cancelled", settled_at: nowOf(context) });
      return;
    case "failure":
      return recordFailure(context, refund);
    case "success":
      return recordSuccess(context, payment, { ...refund, amount: answer.amount });
  }
}

export async function recordSuccess(
  context: SubscriptionContext,
  payment: Payment,
  refund: Refund,
) {
  const { uid, amount, attempt } = refund;
  const date = nowOf(context);
  const change = { status: "success", amount, settled_at: date } as const;
  if (!(await updateRefund(context, refund, change))) return;
  await mailRefund(context, payment, attempt > 1 ? `${uid}:${attempt}` : uid, { amount, date });
  await warnOfShortfall(context, payment);
}

/** Records a failed attempt and schedules the next one; after the last one the refund is given up. */
export async function recordFailure(context: SubscriptionContext, refund: Refund) {
  const delay = RETRY_MS[refund.attempt - 1];
  if (delay === undefined) return giveUp(context, refund);
  return retryRefund(context, refund, delay);
}

/**
 * Reopens our refund, whether given up or left to another one, after a refund by hand bounced. One that gave
 * the rest back has ended: the operator is told to make theirs again. So are they when an order of theirs was
 * given up, because they may have given its amount back by other ways since.
 */
export async function reopenRefund(context: SubscriptionContext, payment: Payment) {
  await reopen(context, payment, ["cancelled"]);
  await reopen(context, payment, ["failure"], ["platform"]);
  await warnOfShortfall(context, payment);
}

/** Tells the operator of a refund by hand that came back, before or after ours gave back the rest. */
async function warnOfShortfall(context: SubscriptionContext, payment: Payment) {
  const shortfall = await shortfallOf(context, payment);
  if (shortfall <= 0) return;
  const fields = { payment: payment.uid, amount: shortfall };
  context.log.error(fields, "refund by hand came back: give it back again, at the provider");
}

/**
 * Cents of refunds by hand that came back, of a payment of which we gave something back, or were to. A rule
 * gives back the whole payment; an order may be of a part, so that only what came back is missing.
 */
async function shortfallOf({ db }: SubscriptionContext, payment: Payment): Promise<number> {
  const refunds = await db
    .selectFrom("refund")
    .select(["made_by", "status", "amount"])
    .where("payment_uid", "=", payment.uid)
    .execute();
  const bounced = refunds
    .filter(({ made_by, status }) => made_by === "provider" && status === "failure")
    .reduce((sum, { amount }) => sum + amount, 0);
  if (bounced === 0) return 0;
  const ended = refunds.filter(({ status }) => status === "success" || status === "failure");
  if (ended.some(({ made_by, status }) => made_by === "platform" && status === "success")) {
    return readLeft(db, payment);
  }
  return ended.some(({ made_by }) => made_by === "operator")
    ? Math.min(bounced, await readLeft(db, payment))
    : 0;
}

/**
 * Reopens our refund that was left to the bank, after it gave back what a lost dispute had taken. One that
 * was given up stays so: the operator was told to make it by hand.
 */
export const reopenLeftToBank = (context: SubscriptionContext, payment: Payment) =>
  reopen(context, payment, ["cancelled"]);

async function reopen(
  context: SubscriptionContext,
  { uid }: Payment,
  statuses: ("cancelled" | "failure")[],
  makers: ("platform" | "operator")[] = ["platform", "operator"],
) {
  const ended = await context.db
    .selectFrom("refund")
    .selectAll()
    .where("payment_uid", "=", uid)
    .where("made_by", "in", makers)
    .where("status", "in", statuses)
    .execute();
  for (const refund of ended) {
    if (refund.attempt >= MAX_TRIES) await giveUp(context, refund);
    else await retryRefund(context, refund, 0);
  }
}

async function retryRefund(context: SubscriptionContext, refund: Refund, delay: number) {
  const attempt = refund.attempt + 1;
  const change = { status: "pending", attempt, settled_at: null } as const;
  if (!(await updateRefund(context, refund, change))) return;
  const runAt = new Date(context.clock.now().getTime() + delay);
  const key = `${REFUND}:${refund.uid}:try:${attempt}`;
  const payload: Work = { refundUid: refund.uid, attempt: 1 };
  await enqueue(context.db, { kind: REFUND, key, payload, runAt });
}

async function giveUp(context: SubscriptionContext, refund: Refund) {
  if (!(await updateRefund(context, refund, { status: "failure", settled_at: nowOf(context) })))
    return;
  const { uid, payment_uid, attempt, made_by } = refund;
  const payment = await findPayment(context.db, payment_uid);
  const amount = payment ? askedOf(refund, await readLeft(context.db, payment)) : refund.amount;
  const fields = { refund: uid, payment: payment_uid, amount, attempt };
  context.log.error(fields, "refund given up: give it back by hand, at the provider");
  if (made_by !== "operator") {
    if (payment && amount > 0) await mailGivenUp(context, payment, refund, amount);
    return;
  }
  const key = `${ORDERED_REFUND}:${uid}:${attempt}`;
  await scheduleFollowing(context, payment_uid, key, context.clock.now());
}

/** Mails the person about a successful refund. */
export async function mailRefund(
  context: SubscriptionContext,
  payment: Payment,
  name: string,
  refunded: { amount: number; date: string },
) {
  await mailAboutRefund(context, payment, `refund:${name}`, (facts) => ({
    kind: "refund",
    ...facts,
    ...refunded,
  }));
}

/** Mails the person that a refund was not taken, and that its amount stays owed. */
async function mailGivenUp(
  context: SubscriptionContext,
  payment: Payment,
  { uid, attempt }: Refund,
  amount: number,
) {
  await mailAboutRefund(context, payment, `refund-failed:${uid}:${attempt}`, (facts) => ({
    kind: "refund-failed",
    ...facts,
    amount,
    contactUrl: links.contact(facts.site),
  }));
}

/** Also after the profile's deletion: the refund was promised in writing. */
async function mailAboutRefund(
  context: SubscriptionContext,
  payment: Payment,
  key: string,
  compose: (facts: RefundedPayment) => Letter,
) {
  const found = await findContractOf(context.db, payment);
  const paidAt = payment.settled_at ?? payment.created_at;
  const contract = found ? { reference: found.uid, orderedAt: found.started_at } : null;
  const letterOf = (site: Site) => compose({ site, paidAt, contract });
  if (found) await mailCreditor(context, found, key, letterOf);
  else await mailPayer(context, payment, key, letterOf);
}

/** Updates a refund if it is unchanged; undefined when it was changed in between. */
async function updateRefund(
  { db }: SubscriptionContext,
  { uid, status, attempt }: Refund,
  change: Partial<Refund>,
) {
  return db
    .updateTable("refund")
    .set(change)
    .where("uid", "=", uid)
    .where("attempt", "=", attempt)
    .where("status", "=", status)
    .returning("uid")
    .executeTakeFirst();
}

async function scheduleNextCheck(
  context: SubscriptionContext,
  { uid: refundUid, attempt }: Refund,
  round: number,
) {
  const delay = Math.min(MINUTE_MS * 2 ** (round - 1), DAY_MS);
  const runAt = new Date(context.clock.now().getTime() + delay);
  const payload = { refundUid, attempt: round + 1 };
  if (attempt === 1) return scheduleRefund(context, payload, runAt);
  const key = `${REFUND}:${refundUid}:try:${attempt}:${round + 1}`;
  await enqueue(context.db, { kind: REFUND, key, payload, runAt });
}

async function scheduleRefund({ db }: Pick<SubscriptionContext, "db">, payload: Work, runAt: Date) {
  const key = `${REFUND}:${payload.refundUid}:${payload.attempt}`;
  await enqueue(db, { kind: REFUND, key, payload, runAt });
}

async function scheduleFollowing(
  { db }: Pick<SubscriptionContext, "db">,
  paymentUid: string,
  key: string,
  runAt: Date,
) {
  await enqueue(db, { kind: ORDERED_REFUND, key, payload: { paymentUid }, runAt });
}

const nowOf = ({ clock }: SubscriptionContext) => clock.now().toISOString();

async function findRefund({ db }: PaymentContext, uid: string): Promise<Refund | undefined> {
  return db.selectFrom("refund").selectAll().where("uid", "=", uid).executeTakeFirst();
}

async function readEmail({ db }: PaymentContext, { account_uid }: Payment) {
  const { identifier } = await db
    .selectFrom("account")
    .select("identifier")
    .where("uid", "=", account_uid)
    .executeTakeFirstOrThrow();
  return identifier;
}
