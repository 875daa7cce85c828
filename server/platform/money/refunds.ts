import { DAY_MS, HOUR_MS, MINUTE_MS } from "../ports/durations";
import { z } from "zod/v4";
import { enqueue } from "../jobs/queue";
import { newUid } from "../ports/ids";
import type { RefundDecision, Reversals } from "../ports/payment-gateway";
import type { Database } from "../database/tables";
import { findPayment, paymentNameOf, type Payment } from "./payments";
import { counts } from "../../counts";
import { afterCommit, inTransaction } from "../database/transaction";
import type { ProviderContext } from "./context";
import { GIVEN_UP, readLeft, readShortfall, type Refund } from "./owed-refunds";
import { logMovement } from "./money-log";
import { forgetPaidBack } from "./payer-email";
import { mailGivenUp, mailRefund } from "./refund-letters";
import type { Context } from "../database/context";

/** Kind of the job that refunds a payment at the provider. */
export const REFUND = "payment.refund";

/** Kind of the job that lets access follow a refund that an operator ordered. */
export const ORDERED_REFUND = "payment.ordered-refund";

/** Kind of the job that reads whether a refund that was made has come back, because the notification may be lost. */
export const REFUND_CHECK = "payment.check-refund";

/** Days after a refund was made: most come back within a week, and the last ones, says Stripe, after a month. */
const CHECK_DAYS = [7, 35] as const;

/** Delays between attempts after a failure; after the last one the operator must refund by hand. */
const RETRY_MS = [MINUTE_MS, HOUR_MS, DAY_MS, 3 * DAY_MS] as const;

/** Time between the first attempt and the last one. */
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

/**
 * Refunds a payment, once: the row is inserted here, a job calls the provider.
 * @param reason of one that a letter claims
 * @returns false when nothing was begun
 */
export async function refundPayment(
  { db, clock, log }: Context,
  { uid, amount }: Payment,
  reason: string | null = null,
): Promise<boolean> {
  // A free trial leaves nothing to give back.
  if (amount === 0) return false;
  const now = clock.now();
  const refund = await db
    .insertInto("refund")
    .values({
      uid: newUid(),
      payment_uid: uid,
      amount,
      status: "pending",
      created_at: now.toISOString(),
      reason,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning("uid")
    .executeTakeFirst();
  if (!refund) return false;
  const begun = { uid, refund: refund.uid, amount, outcome: "pending" };
  logMovement({ db, log }, { movement: "refund", ...begun });
  await scheduleRefund({ db }, { refundUid: refund.uid, attempt: 1 }, now);
  return true;
}

/**
 * The order of a refund that a person brings about, who ends a period that was renewed without its notice. Like an
 * operator's it is of an amount; unlike theirs it was promised to its person in writing.
 */
export const ENDED_UNANNOUNCED = {
  by: "the site",
  reason: "ended by its person after a renewal without notice (L215-1)",
} as const;

/** How the reason begins of one that a letter claims, before the day of the letter. */
export const ENDED_BY_LETTER = `${ENDED_UNANNOUNCED.reason}, by a letter of `;

const isPromised = ({ made_by, reason }: Refund) =>
  made_by !== "operator" || (reason ?? "").startsWith(ENDED_UNANNOUNCED.reason);

export type RefundOrder = { amount: number; by: string; reason: string };

/**
 * Begins a refund of an amount that was ordered: the same job makes it, and another one lets access follow. The
 * caller has checked the amount with the account locked.
 */
export async function beginOrderedRefund(
  { db, clock }: Pick<Context, "db" | "clock">,
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

/** Refunds what is left of a payment, or what was ordered; runs until the refund has ended. */
export async function processRefund(context: ProviderContext, payload: unknown) {
  const { refundUid, attempt: round } = work.parse(payload);
  const refund = await findRefund(context, refundUid);
  if (refund?.status !== "pending") return;
  const payment = await findPayment(context.db, refund.payment_uid);
  if (!payment) return;
  const reversals = await context.gateway.reversals(paymentNameOf(payment));
  const state = stateOf(payment, refund, reversals, await readElsewhere(context.db, payment));
  const answer =
    state.kind === "due" ? await requestRefund(context, payment, refund, state.amount) : state;
  await inTransaction(context, async (context) => {
    await recordAnswer(context, { refund, payment, answer, round });
    await forgetPaidBack(context, payment.uid);
  });
}

/**
 * The state of a refund. `cancelled`: the whole payment went back in other ways. `reference`: of the refund or
 * dispute that the provider has not decided.
 */
type State =
  | { kind: "due"; amount: number }
  | { kind: "cancelled" }
  | { kind: RefundDecision["status"]; amount: number; reference?: string };
type Answer = Exclude<State, { kind: "due" }>;

/**
 * The state of a refund at the provider. During a dispute it waits, because the bank may return the
 * money itself. Amounts returned by the bank or by hand are not refunded again.
 * @param elsewhere cents that were given back by another way, which the provider does not know
 */
function stateOf(
  payment: Payment,
  refund: Refund,
  { refunds, claims }: Reversals,
  elsewhere: number,
): State {
  // An earlier attempt whose answer was lost may have been made all the same.
  const isOwn = ({ refundUid, attempt, status }: Reversals["refunds"][number]) =>
    refundUid === refund.uid && (attempt === refund.attempt || status !== "failure");
  const ownRefund = refunds.find(isOwn);
  if (ownRefund) {
    const { status: kind, amount, reference } = ownRefund;
    return { kind, amount, reference };
  }
  const disputes = claims.filter(({ kind }) => kind === "dispute");
  const open = disputes.find(({ status }) => status === "open");
  if (open) return { kind: "pending", amount: refund.amount, reference: open.reference };
  const gone = [
    ...refunds.filter(({ status }) => status !== "failure"),
    ...disputes.filter(({ status }) => status === "lost"),
  ];
  const left = payment.amount - elsewhere - gone.reduce((sum, one) => sum + one.amount, 0);
  return left > 0 ? { kind: "due", amount: askedOf(refund, left) } : { kind: "cancelled" };
}

async function readElsewhere(db: Database, { uid }: Payment): Promise<number> {
  const repaid = await db
    .selectFrom("refund")
    .select("amount")
    .where("payment_uid", "=", uid)
    .where("repaid_by", "is not", null)
    .execute();
  return repaid.reduce((sum, { amount }) => sum + amount, 0);
}

/** An operator ordered an amount; a rule gives back whatever is left. */
const askedOf = ({ made_by, amount }: Refund, left: number) =>
  made_by === "operator" ? Math.min(amount, left) : left;

async function requestRefund(
  context: ProviderContext,
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
  context: ProviderContext,
  { refund, payment, answer, round }: Answered,
) {
  switch (answer.kind) {
    case "pending":
      if (round >= MAX_ROUNDS) return giveUpUndecided(context, refund, answer.reference ?? null);
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

export async function recordSuccess(context: ProviderContext, payment: Payment, refund: Refund) {
  const { uid, amount, attempt } = refund;
  const date = nowOf(context);
  const change = { status: "success", amount, settled_at: date } as const;
  if (!(await updateRefund(context, refund, change))) return;
  await scheduleRefundChecks(context, refund);
  await mailRefund(context, payment, attempt > 1 ? `${uid}:${attempt}` : uid, { amount, date });
  await warnOfShortfall(context, payment);
}

export const refundCheckWork = z.object({ refundUid: z.string(), attempt: z.int() });

/** Schedules the checks whether a refund that was made now has come back. */
export async function scheduleRefundChecks(
  { db, clock, gateway }: ProviderContext,
  { uid: refundUid, attempt }: Pick<Refund, "uid" | "attempt">,
) {
  if (!gateway.refundsMayBounce) return;
  for (const days of CHECK_DAYS) {
    const key = `${REFUND_CHECK}:${refundUid}:${attempt}:${days}`;
    const payload: z.infer<typeof refundCheckWork> = { refundUid, attempt };
    const runAt = new Date(clock.now().getTime() + days * DAY_MS);
    await enqueue(db, { kind: REFUND_CHECK, key, payload, runAt });
  }
}

/** Records a failed attempt and schedules the next one; after the last one the refund is given up. */
export async function recordFailure(context: Context, refund: Refund) {
  const delay = RETRY_MS[refund.attempt - 1];
  if (delay === undefined) return giveUpRefused(context, refund);
  return retryRefund(context, refund, delay);
}

/**
 * Reopens our refund, whether given up or left to another one, after a refund by hand bounced. One that gave
 * the rest back has ended: the operator is told to make theirs again. So are they when an order of theirs was
 * given up, because they may have given its amount back by other ways since.
 */
export async function reopenRefund(context: Context, payment: Payment) {
  await reopen(context, payment, ["cancelled"]);
  await reopen(context, payment, GIVEN_UP, ["platform"]);
  await warnOfShortfall(context, payment);
}

/** Tells the operator of a refund by hand that came back, before or after ours gave back the rest. */
async function warnOfShortfall(context: Context, payment: Payment) {
  const shortfall = await readShortfall(context.db, payment);
  if (shortfall <= 0) return;
  const fields = { payment: payment.uid, amount: shortfall };
  context.log.error(fields, "refund by hand came back: give it back again, at the provider");
}

/**
 * Reopens our refund that was left to the bank, also one that waited for it in vain, after it gave back what a
 * dispute had taken. One that was refused stays given up: the operator was told to make it by hand.
 */
export const reopenLeftToBank = (context: Context, payment: Payment) =>
  reopen(context, payment, ["cancelled", "undecided"]);

async function reopen(
  context: Context,
  { uid }: Payment,
  statuses: readonly ("cancelled" | (typeof GIVEN_UP)[number])[],
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
    if (refund.attempt >= MAX_TRIES) await giveUpRefused(context, refund);
    else await retryRefund(context, refund, 0);
  }
}

async function retryRefund(context: Context, refund: Refund, delay: number) {
  const attempt = refund.attempt + 1;
  const change = { status: "pending", attempt, settled_at: null } as const;
  if (!(await updateRefund(context, refund, change))) return;
  const runAt = new Date(context.clock.now().getTime() + delay);
  const key = `${REFUND}:${refund.uid}:try:${attempt}`;
  const payload: Work = { refundUid: refund.uid, attempt: 1 };
  await enqueue(context.db, { kind: REFUND, key, payload, runAt });
}

async function giveUpRefused(context: Context, refund: Refund) {
  const words = "refund given up: give it back by hand, at the provider";
  await giveUp(context, refund, "failure", (fields) => context.log.error(fields, words));
}

/** The money may have gone back, or go back yet: the operator must look before giving it back by hand. */
async function giveUpUndecided(context: Context, refund: Refund, reference: string | null) {
  const words =
    "refund undecided for six months, given up: look up at the provider whether it was made, before giving it back by hand";
  await giveUp(context, refund, "undecided", (fields, { gateway_reference }) =>
    context.log.error({ ...fields, reference: gateway_reference, undecided: reference }, words),
  );
}

type GivenUpFields = { refund: string; payment: string; amount: number; attempt: number };

async function giveUp(
  context: Context,
  refund: Refund,
  status: (typeof GIVEN_UP)[number],
  report: (fields: GivenUpFields, payment: Payment) => void,
) {
  if (!(await updateRefund(context, refund, { status, settled_at: nowOf(context) }))) return;
  const { uid, payment_uid, attempt, made_by } = refund;
  const payment = await findPayment(context.db, payment_uid);
  if (!payment) return;
  const amount = askedOf(refund, await readLeft(context.db, payment));
  report({ refund: uid, payment: payment_uid, amount, attempt }, payment);
  if (isPromised(refund) && amount > 0) {
    await mailGivenUp(context, payment, refund, { amount, isUndecided: status === "undecided" });
  }
  if (made_by !== "operator") return;
  const key = `${ORDERED_REFUND}:${uid}:${attempt}`;
  await scheduleFollowing(context, payment_uid, key, context.clock.now());
}

/** Updates a refund if it is unchanged; undefined when it was changed in between. */
async function updateRefund(
  { db, log }: Context,
  { uid, payment_uid, amount, status, attempt }: Refund,
  change: Partial<Refund> & Pick<Refund, "status">,
) {
  const updated = await db
    .updateTable("refund")
    .set(change)
    .where("uid", "=", uid)
    .where("attempt", "=", attempt)
    .where("status", "=", status)
    .returning("uid")
    .executeTakeFirst();
  if (!updated) return undefined;
  const { status: outcome } = change;
  const moved = { amount: change.amount ?? amount, outcome };
  logMovement({ db, log }, { movement: "refund", uid: payment_uid, refund: uid, ...moved });
  if (outcome !== "pending") afterCommit(db, () => counts.refunds.add({ outcome }));
  return updated;
}

async function scheduleNextCheck(
  context: Context,
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

async function scheduleRefund({ db }: Pick<Context, "db">, payload: Work, runAt: Date) {
  const key = `${REFUND}:${payload.refundUid}:${payload.attempt}`;
  await enqueue(db, { kind: REFUND, key, payload, runAt });
}

async function scheduleFollowing(
  { db }: Pick<Context, "db">,
  paymentUid: string,
  key: string,
  runAt: Date,
) {
  await enqueue(db, { kind: ORDERED_REFUND, key, payload: { paymentUid }, runAt });
}

const nowOf = ({ clock }: Context) => clock.now().toISOString();

export async function findRefund(
  { db }: Pick<ProviderContext, "db">,
  uid: string,
): Promise<Refund | undefined> {
  return db.selectFrom("refund").selectAll().where("uid", "=", uid).executeTakeFirst();
}

async function readEmail({ db }: ProviderContext, { account_uid }: Payment) {
  const { identifier } = await db
    .selectFrom("account")
    .select("identifier")
    .where("uid", "=", account_uid)
    .executeTakeFirstOrThrow();
  return identifier;
}
