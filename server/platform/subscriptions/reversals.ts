import { lockAccount } from "../accounts/lock";
import type { Database, Tables } from "../database/tables";
import { newUid } from "../ports/ids";
import type { Claim, RemovedCard, Reversals } from "../ports/payment-gateway";
import { findPayment, isUnsettled, nameOf, type Payment } from "./payments";
import { reconcile } from "./reconciliation";
import { inTransaction } from "../database/transaction";
import type { PaymentContext } from "./context";
import {
  findPaidBy,
  findPeriodPayment,
  giveAgain,
  stateOfPeriod,
  takeBackPeriod,
} from "./paid-period";
import { NO_CARD } from "./card";
import { endReversed, resumeReturned } from "./reversed-access";
import {
  recordFailure,
  recordSuccess,
  refundPayment,
  reviveRefund,
  writeRefund,
  type Refund,
} from "./refunds";
import type { SubscriptionContext } from "./context";

type KnownClaim = Tables["payment_claim"];
type Known = { refunds: Refund[]; claims: KnownClaim[] };

/**
 * Applies refunds and claims that the provider or a bank made: records, pending refunds and access
 * are set to the state that the provider reports now. Notifications may be repeated, late or out of
 * order; the same state has its effect once.
 * @throws Error to retry the job when the records changed while the provider was asked
 */
export async function followReversal(context: PaymentContext, paymentUid: string) {
  const told = await findPayment(context.db, paymentUid);
  if (!told) return;
  if (isUnsettled(told)) await reconcile(context, paymentUid);
  const payment = (await findPayment(context.db, paymentUid)) ?? told;
  const before = await readKnown(context.db, paymentUid);
  const reversals = await context.gateway.reversals(nameOf(payment));
  await inTransaction(context, async (context) => {
    await lockAccount(context.db, payment.account_uid);
    const known = await readKnown(context.db, paymentUid);
    if (JSON.stringify(known) !== JSON.stringify(before)) {
      throw new Error(`The books of payment ${paymentUid} changed while the provider was asked`);
    }
    await followRefunds(context, payment, known.refunds, reversals);
    for (const claim of reversals.claims) await followClaim(context, payment, known.claims, claim);
    await followAccess(context, payment);
  });
}

/** Clears a card that was removed at the provider; due periods are then paid on a page. */
export async function forgetRemovedCard({ db, log }: PaymentContext, removed: RemovedCard) {
  const running = db
    .updateTable("subscription")
    .set({ card_reference: null, card_expiry: null })
    .where("ended_at", "is", null)
    .where("card_reference", "is not", null);
  const forgotten = await (
    "payer" in removed
      ? running.where("account_uid", "=", removed.payer)
      : running.where("card_reference", "=", removed.cardReference)
  )
    .returning("uid")
    .execute();
  for (const { uid: subscription } of forgotten) {
    log.warn({ subscription }, "the card of a subscription was removed at the provider");
  }
}

async function readKnown(db: Database, paymentUid: string): Promise<Known> {
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

async function followRefunds(
  context: SubscriptionContext,
  payment: Payment,
  known: Refund[],
  { refunds }: Reversals,
) {
  for (const told of refunds) {
    const own = known.find(({ uid }) => uid === told.refundUid);
    if (!own) await followByHand(context, payment, known, told);
    else if (own.attempt !== told.attempt) continue;
    else if (told.status === "success" && own.status === "pending") {
      await recordSuccess(context, payment, { ...own, amount: told.amount });
    } else if (told.status === "failure" && own.status !== "failure") {
      // A bank may return a successful refund days later.
      await recordFailure(context, own);
    }
  }
}

/** Records a refund made by hand at the provider and mails the person. */
async function followByHand(
  context: SubscriptionContext,
  payment: Payment,
  known: Refund[],
  { reference, amount, status }: Reversals["refunds"][number],
) {
  const earlier = known.find((refund) => refund.reference === reference);
  if (earlier?.status === status) return;
  const date = context.clock.now().toISOString();
  const settled_at = status === "pending" ? null : date;
  const made = { payment_uid: payment.uid, reference, amount, made_by: "provider" as const };
  await context.db
    .insertInto("refund")
    .values({ uid: newUid(), ...made, status, created_at: date, settled_at })
    .onConflict((conflict) =>
      conflict
        .column("reference")
        .where("reference", "is not", null)
        .doUpdateSet({ status, settled_at }),
    )
    .execute();
  context.log.info(
    { payment: payment.uid, reference, amount, status },
    "refund made at the provider",
  );
  if (status === "success") await writeRefund(context, payment, reference, { amount, date });
  if (status === "failure") await reviveRefund(context, payment);
}

async function followClaim(
  context: SubscriptionContext,
  payment: Payment,
  known: KnownClaim[],
  claim: Claim,
) {
  const { reference, kind, amount, status } = claim;
  const earlier = known.find((one) => one.reference === reference);
  // An inquiry that becomes a dispute keeps its reference and status, so the kind is compared too.
  if (earlier?.status === status && earlier.kind === kind) return;
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
    .onConflict((conflict) => conflict.column("reference").doUpdateSet({ status, kind, closed_at }))
    .execute();
  const fields = { payment: payment.uid, reference, claim: kind, amount, status };
  context.log.warn(fields, "a payment is claimed back");
  if (status !== "won") await stopCharging(context, payment);
  // The cardholder denies the payment: a refund now costs less than the coming dispute.
  if (kind === "warning" && status === "open") await refundPayment(context, payment);
}

/** Removes the card of a contract with a claim: later periods are only paid on a page. */
async function stopCharging({ db }: SubscriptionContext, { uid, subscription_uid }: Payment) {
  await db
    .updateTable("subscription")
    .set(NO_CARD)
    .where((e) => e.or([e("payment_uid", "=", uid), e("uid", "=", subscription_uid ?? "")]))
    .where("ended_at", "is", null)
    .execute();
}

/** Ends, revokes or restores the paid period according to whether its money is still there. */
async function followAccess(context: SubscriptionContext, { uid }: Payment) {
  // Read again, because it may have been settled while the provider was asked.
  const payment = await findPeriodPayment(context.db, uid);
  const subscription = payment && (await findPaidBy(context.db, payment));
  if (!subscription) return;
  const { refunds, claims } = await readKnown(context.db, uid);
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
      if (isGone) await takeBackPeriod(context, subscription, payment);
      return;
    case "taken back":
      if (!isGone) await giveAgain(context, subscription, payment);
      return;
    case "running":
      if (isGone) await endReversed(context, subscription, payment, dispute);
      else await resumeReturned(context, subscription, payment);
  }
}
