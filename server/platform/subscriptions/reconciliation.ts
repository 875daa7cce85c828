import { z } from "zod/v4";
import type { PlatformCode } from "../../../app/contract/subscriptions";
import { HOUR_MS, MINUTE_MS } from "../ports/durations";
import type { Database } from "../database/tables";
import { enqueue, hasKeyOf } from "../jobs/queue";
import type { PaymentOutcome, GatewayState } from "../ports/payment-gateway";
import { findSubscription } from "../database/subscription-row";
import {
  findPayment,
  isUnsettled,
  paymentNameOf,
  recordOpenPage,
  type Payment,
} from "../money/payments";
import { recordDecision } from "./settlement";
import type { PaymentContext } from "./context";

/** Kind of the job that asks the bank about an undecided payment. */
export const RECONCILIATION = "payment.reconcile";

const FIRST_AFTER_MS = 60_000;
const AT_MOST_EVERY_MS = HOUR_MS;

/** Before this age the first call to the bank may still be running. */
const UNKNOWN_AFTER_MS = 60_000;

/** Whether a payment that the bank does not know may still become known. */
export const mayBecomeKnown = (
  { created_at }: Pick<Payment, "created_at">,
  { lagMs = 0 }: { lagMs?: number | undefined },
  now: Date,
) => now.getTime() - Date.parse(created_at) < UNKNOWN_AFTER_MS + lagMs;

/** Outcome when the process died before it called the bank: no money has moved. */
const INTERRUPTED: PaymentOutcome = {
  status: "cancelled",
  code: "interrupted" satisfies PlatformCode,
  message: "The payment was interrupted before the bank was asked",
};

/** `isExtra`: a check between the scheduled ones, which schedules none. */
const work = z.object({
  paymentUid: z.string(),
  attempt: z.int(),
  isExtra: z.boolean().optional(),
});
type Work = z.infer<typeof work>;

const keyParts = (paymentUid: string) => `${RECONCILIATION}:${paymentUid}`;

/** Schedules a check a minute after the payment started, then at doubling intervals up to an hour. */
export async function scheduleReconciliation(
  db: Database,
  payload: Omit<Work, "isExtra">,
  now: Date,
) {
  const delay = Math.min(FIRST_AFTER_MS * 2 ** (payload.attempt - 1), AT_MOST_EVERY_MS);
  await enqueue(db, {
    kind: RECONCILIATION,
    key: `${keyParts(payload.paymentUid)}:${payload.attempt}`,
    payload,
    runAt: new Date(now.getTime() + delay),
  });
}

/**
 * Checks the payment now, besides the scheduled checks: at most once a minute, however many notices ask
 * for it, and not while an earlier such check has no answer.
 */
export async function askBankSoon(db: Database, paymentUid: string, now: Date) {
  const checks = await db
    .selectFrom("job")
    .select(["payload", "done_at"])
    .where(hasKeyOf(keyParts(paymentUid)))
    .execute();
  const left = checks.filter(({ done_at }) => done_at === null);
  if (left.some(({ payload }) => work.parse(JSON.parse(payload)).isExtra)) return;
  const minute = Math.floor(now.getTime() / MINUTE_MS);
  const payload: Work = { paymentUid, attempt: 0, isExtra: true };
  const key = `${keyParts(paymentUid)}:asked-${minute}`;
  await enqueue(db, { kind: RECONCILIATION, key, payload, runAt: now });
}

/** Tells whether the bank has answered about the payment since that time, or is asked no more. */
export async function wasBankAsked(db: Database, paymentUid: string, since: Date) {
  const checks = await db
    .selectFrom("job")
    .select(["done_at", "run_at"])
    .where(hasKeyOf(keyParts(paymentUid)))
    .execute();
  const isLeft = checks.some(({ done_at }) => done_at === null);
  // A check that was due before may have asked before, too.
  const isAsked = checks.some((check) => check.done_at && check.run_at >= since.toISOString());
  return isAsked || !isLeft;
}

/** Checks the payment, in case a notification was lost, and schedules the next check. */
export async function reconcileInBackground(context: PaymentContext, payload: unknown) {
  const { paymentUid, attempt, isExtra } = work.parse(payload);
  if ((await reconcile(context, paymentUid)) || isExtra) return;
  await scheduleReconciliation(
    context.db,
    { paymentUid, attempt: attempt + 1 },
    context.clock.now(),
  );
}

/**
 * Asks the bank for a waiting person. Without an answer the stored state stays, and the job asks later.
 */
export async function refreshPayment(
  context: PaymentContext,
  payment: Payment,
): Promise<GatewayState | null> {
  if (!isUnsettled(payment)) return null;
  const { uid: paymentUid } = payment;
  try {
    const state = await context.gateway.status(paymentNameOf(payment));
    await applyState(context, payment, state);
    return state;
  } catch (error) {
    context.log.warn({ err: error, payment: paymentUid }, "the bank was asked in vain");
    return null;
  }
}

/** Reads the state of a payment at the bank and applies it; true when the payment is decided. */
export async function reconcile(context: PaymentContext, paymentUid: string): Promise<boolean> {
  const payment = await findPayment(context.db, paymentUid);
  if (!payment || !isUnsettled(payment)) return true;
  return applyState(context, payment, await context.gateway.status(paymentNameOf(payment)));
}

/** Applies a state read from the bank; true when the payment is decided. */
export async function applyState(
  context: PaymentContext,
  payment: Payment,
  state: GatewayState,
): Promise<boolean> {
  switch (state.status) {
    case "open":
      await recordOpenPage(context.db, payment, state.reference);
      return false;
    case "unknown":
      // The renewal job will charge this payment again by the same uid, so it must not be cancelled
      // here.
      if (await isStillCharged(context, payment)) return false;
      if (mayBecomeKnown(payment, state, context.clock.now())) return false;
      await recordDecision(context, payment.uid, INTERRUPTED);
      return true;
    default:
      await recordDecision(context, payment.uid, state);
      return state.status !== "pending";
  }
}

/** Tells whether a job will still charge the period: not when stopped, ended or otherwise paid. */
async function isStillCharged(
  { db }: PaymentContext,
  { kind, subscription_uid, period_start }: Payment,
) {
  if (kind !== "renewal" || subscription_uid === null) return false;
  const subscription = await findSubscription(db, subscription_uid);
  if (!subscription) return false;
  const { ended_at, cancelled_at, expires_at } = subscription;
  return ended_at === null && cancelled_at === null && expires_at === period_start;
}
