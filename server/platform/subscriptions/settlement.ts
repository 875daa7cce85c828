import { inTransaction } from "../database/transaction";
import { lockAccount } from "../accounts/lock";
import type { Database } from "../database/tables";
import { restoreCardAttempt, uncountCardAttempt } from "../limits/declines";
import type { PaymentDecision, PaymentOutcome } from "../ports/payment-gateway";
import { followPayment } from "./follow";
import { refundPayment } from "./refunds";
import { findPayment, updateUnsettledPayment } from "./payments";
import type { PaymentContext } from "./context";

export type SubscriptionContext = Omit<PaymentContext, "gateway">;

/** Records what the bank says of a payment: not decided yet, or settled. */
export async function decidePayment(
  context: SubscriptionContext,
  paymentUid: string,
  decision: PaymentDecision,
) {
  if (decision.status === "pending") {
    await updateUnsettledPayment(context.db, paymentUid, { status: "pending" });
  } else {
    await settlePayment(context, paymentUid, decision);
  }
}

/**
 * Gives a payment its outcome and, when paid, opens or renews the subscription: both or neither.
 * However often and late it is told, the first outcome stands and there is one subscription.
 */
export async function settlePayment(
  context: SubscriptionContext,
  paymentUid: string,
  outcome: PaymentOutcome,
) {
  await inTransaction(context, async (within) => {
    const { db: transaction, clock } = within;
    const payment = await findPayment(transaction, paymentUid);
    if (!payment) return;
    await lockAccount(transaction, payment.account_uid);
    const settled_at = clock.now().toISOString();
    const change = { ...columnsOf(outcome), status: outcome.status, settled_at };
    const changed = await updateUnsettledPayment(transaction, paymentUid, change);
    if (!changed) return giveBackLate(within, paymentUid, outcome);
    await followPayment(within, payment, outcome);
    await forgetCardOfDeleted(transaction, paymentUid);
    await countAttempt(transaction, paymentUid, outcome);
  });
}

/** Paid after it was given up, as by a process that slept through: the money goes back. */
async function giveBackLate(
  context: SubscriptionContext,
  paymentUid: string,
  outcome: PaymentOutcome,
) {
  if (outcome.status !== "success") return;
  const givenUp = await context.db
    .updateTable("payment")
    .set(columnsOf(outcome))
    .where("uid", "=", paymentUid)
    .where("status", "in", ["failure", "cancelled"])
    .returningAll()
    .executeTakeFirst();
  if (givenUp) await refundPayment(context, givenUp);
  await forgetCardOfDeleted(context.db, paymentUid);
}

/** What is paid after its profile was deleted goes back, and leaves nothing of the card. */
async function forgetCardOfDeleted(db: Database, paymentUid: string) {
  const deleted = db.selectFrom("account").select("uid").where("status", "=", "deleted");
  await db
    .updateTable("payment")
    .set({ card_reference: null, card_hint: null })
    .where("uid", "=", paymentUid)
    .where("account_uid", "in", deleted)
    .execute();
}

/** Of the attempts to pay by card only the refused ones are limited. */
async function countAttempt(transaction: Database, uid: string, { status }: PaymentOutcome) {
  if (status === "failure") await restoreCardAttempt(transaction, uid);
  else await uncountCardAttempt(transaction, uid);
}

function columnsOf(outcome: PaymentOutcome) {
  return outcome.status === "success"
    ? {
        card_reference: outcome.cardReference,
        card_hint: outcome.cardHint,
        // Of the times the provider could not be asked.
        error_code: null,
        error_message: null,
        ...(outcome.reference && { gateway_reference: outcome.reference }),
      }
    : { error_code: outcome.code, error_message: outcome.message };
}
