import { lockAccount } from "../database/account-lock";
import type { Database, Tables } from "../database/tables";
import type { Claim } from "../ports/payment-gateway";
import { JobWaiting } from "../jobs/runner";
import { findPayment, isUnsettled, paymentNameOf, type Payment } from "../money/payments";
import { reconcile } from "./reconciliation";
import { inTransaction } from "../database/transaction";
import type { PaymentContext } from "./context";
import { findPeriodPayment, restorePeriod, stateOfPeriod, revokePeriod } from "./paid-period";
import { NO_CARD } from "../money/card";
import { findContractOf } from "../database/subscription-row";
import { reviewPaidCredit } from "./credit-payment";
import { reviewOwedCredit, reviewVoidCredit } from "./credits";
import { scheduleCardNotice } from "./schedule";
import { endReversedAccess, resumeAccess } from "./reversed-access";
import { refundPayment, reopenLeftToBank } from "../money/refunds";
import type { Refund } from "../money/owed-refunds";
import { logMovement } from "../money/money-log";
import { recordReportedRefunds } from "../money/reported-refunds";
import { forgetPaidBack } from "../money/payer-email";
import type { SubscriptionContext } from "./context";

type KnownClaim = Tables["payment_claim"];
type Recorded = { refunds: Refund[]; claims: KnownClaim[] };

/** Pause before the job is tried again: another event of the same payment has made its changes by then. */
const CHANGED_MS = 1000;

/**
 * Applies refunds and claims that the provider or a bank made: records, pending refunds and access
 * are set to the state that the provider reports now. Notifications may be repeated, late or out of
 * order; the same state has its effect once.
 * @throws JobWaiting when the records changed while the provider was asked, as when several events come at once
 */
export async function applyReversal(context: PaymentContext, paymentUid: string) {
  const reported = await findPayment(context.db, paymentUid);
  if (!reported) return;
  if (isUnsettled(reported)) await reconcile(context, paymentUid);
  const payment = (await findPayment(context.db, paymentUid)) ?? reported;
  const before = await readRecorded(context.db, paymentUid);
  const reversals = await context.gateway.reversals(paymentNameOf(payment));
  await inTransaction(context, async (context) => {
    await lockAccount(context.db, payment.account_uid);
    const known = await readRecorded(context.db, paymentUid);
    if (JSON.stringify(known) !== JSON.stringify(before)) {
      const soon = new Date(context.clock.now().getTime() + CHANGED_MS);
      throw new JobWaiting("The books changed while the provider was asked", soon);
    }
    await recordReportedRefunds(context, payment, known.refunds, reversals);
    for (const claim of reversals.claims) await applyClaim(context, payment, known.claims, claim);
    await followMoney(context, payment);
    await forgetPaidBack(context, paymentUid);
  });
}

/** Sets access and credit to what is left of a payment; the caller has locked its account. */
export async function followMoney(context: SubscriptionContext, payment: Payment) {
  await updateAccess(context, payment);
  const contract = await findContractOf(context.db, payment);
  if (!contract) return;
  await reviewOwedCredit(context, contract);
  await reviewVoidCredit(context, contract);
  await reviewPaidCredit(context, contract);
}

async function readRecorded(db: Database, paymentUid: string): Promise<Recorded> {
  const refunds = await db
    .selectFrom("refund")
    .selectAll()
    .where("payment_uid", "=", paymentUid)
    .orderBy("uid")
    .execute();
  const claims = await db
    .selectFrom("payment_claim")
    .selectAll()
    .where("payment_uid", "=", paymentUid)
    .orderBy("reference")
    .execute();
  return { refunds, claims };
}

async function applyClaim(
  context: SubscriptionContext,
  payment: Payment,
  known: KnownClaim[],
  claim: Claim,
) {
  const { reference, kind, amount, status } = claim;
  const earlier = known.find((one) => one.reference === reference);
  // An inquiry that becomes a dispute keeps its reference and status, and may be about less by then.
  if (earlier?.status === status && earlier.kind === kind && earlier.amount === amount) return;
  const now = context.clock.now().toISOString();
  const closed_at = status === "open" ? null : now;
  await context.db
    .insertInto("payment_claim")
    .values({
      reference,
      payment_uid: payment.uid,
      kind,
      amount,
      status,
      created_at: now,
      closed_at,
    })
    .onConflict((conflict) =>
      conflict.column("reference").doUpdateSet({ status, kind, amount, closed_at }),
    )
    .execute();
  const moved = { uid: payment.uid, claim: kind, amount, outcome: status };
  logMovement(context, { movement: "claim", ...moved });
  const fields = { payment: payment.uid, reference, claim: kind, amount, status };
  if (status === "won") context.log.info(fields, "a claim on a payment was won or withdrawn");
  else context.log.warn(fields, "a payment is claimed back");
  if (status !== "won") await stopCharging(context, payment);
  else await reopenLeftToBank(context, payment);
  // The cardholder denies the payment: a refund now costs less than the coming dispute.
  if (kind === "warning" && status === "open") await refundPayment(context, payment);
}

/**
 * Removes the card of a contract with a claim: later periods are only paid on a page. Also of one that has
 * ended: a refund that bounces, or an undone stop, would let it go on with the card.
 */
async function stopCharging(context: SubscriptionContext, { uid, subscription_uid }: Payment) {
  const stopped = await context.db
    .updateTable("subscription")
    .set(NO_CARD)
    .where((e) => e.or([e("payment_uid", "=", uid), e("uid", "=", subscription_uid ?? "")]))
    .where("card_reference", "is not", null)
    .returningAll()
    .execute();
  for (const subscription of stopped) {
    if (subscription.ended_at === null) await scheduleCardNotice(context, subscription);
  }
}

/** Ends, revokes or restores the paid period according to whether its money is still there. */
async function updateAccess(context: SubscriptionContext, { uid }: Payment) {
  // Read again, because it may have been settled while the provider was asked.
  const payment = await findPeriodPayment(context.db, uid);
  const subscription = payment && (await findContractOf(context.db, payment));
  if (!subscription) return;
  const { refunds, claims } = await readRecorded(context.db, uid);
  // A pending refund counts as returned: it will return what is left when disputes allow it.
  const returned = refunds
    .filter(({ status }) => status === "success" || status === "pending")
    .reduce((sum, { amount }) => sum + amount, 0);
  const dispute = claims.find(({ kind, status }) => kind === "dispute" && status !== "won");
  // A closed warning took no money itself: a refund or a dispute did, or nothing.
  const isWarned = claims.some(({ kind, status }) => kind === "warning" && status === "open");
  const isGone = dispute !== undefined || isWarned || returned >= payment.amount;
  switch (stateOfPeriod(payment, subscription, context.clock.now())) {
    case "over":
      return;
    case "coming":
      if (isGone) await revokePeriod(context, subscription, payment);
      return;
    case "taken back":
      if (!isGone) await restorePeriod(context, subscription, payment);
      return;
    case "running":
      if (isGone) await endReversedAccess(context, subscription, payment, dispute);
      else await resumeAccess(context, subscription, payment);
  }
}
