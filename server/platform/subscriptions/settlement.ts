import { sql } from "kysely";
import { counts } from "../../counts";
import { afterCommit, inTransaction } from "../database/transaction";
import { lockAccount } from "../database/account-lock";
import type { Database } from "../database/tables";
import { restoreCardAttempt, uncountCardAttempt } from "../limits/declines";
import type { PaymentDecision, PaymentOutcome } from "../ports/payment-gateway";
import { logMovement } from "../money/money-log";
import { NO_CARD_CODE } from "../money/card";
import { applyPayment } from "./payment-effects";
import { forgetPaidBack } from "../money/payer-email";
import { sellerColumn } from "../money/receipt-seller";
import { refundPayment } from "../money/refunds";
import { findPayment, updateUnsettledPayment, type Payment } from "../money/payments";
import { wakeNotices } from "./pending-notices";
import type { SubscriptionContext } from "./context";

/** Records the bank's decision about a payment, pending or final. */
export async function recordDecision(
  context: SubscriptionContext,
  paymentUid: string,
  decision: PaymentDecision,
) {
  if (decision.status === "pending") {
    const now = context.clock.now();
    const ordered_at = orderedBy(decision.paidAt ?? now);
    // Errors of earlier calls that the provider did not answer are cleared.
    const change = {
      status: "pending",
      ordered_at,
      asked_at: askedBy(now),
      error_code: null,
      error_message: null,
    } as const;
    await updateUnsettledPayment(context.db, paymentUid, change);
  } else {
    await settlePayment(context, paymentUid, decision);
  }
}

/**
 * Records the outcome of a payment and opens or renews the subscription, in one transaction. The first
 * outcome stands; repeated or late notifications change nothing.
 */
export async function settlePayment(
  context: SubscriptionContext,
  paymentUid: string,
  outcome: PaymentOutcome,
) {
  await inTransaction(context, async (within) => {
    const { db: transaction, clock } = within;
    const found = await findPayment(transaction, paymentUid);
    if (!found) return;
    await lockAccount(transaction, found.account_uid);
    // Read again: a card may have been removed before the lock was granted.
    const payment = (await findPayment(transaction, paymentUid)) ?? found;
    reportOtherCharge(within, payment, outcome);
    const now = clock.now();
    const change = {
      ...columnsOf(within, outcome),
      ...(outcome.status === "success" && { ordered_at: orderedBy(outcome.paidAt ?? now) }),
      status: outcome.status,
      settled_at: now.toISOString(),
      removed_cards: null,
    };
    const changed = await updateUnsettledPayment(transaction, paymentUid, change);
    if (!changed) return refundLatePayment(within, paymentUid, outcome);
    logCharge(within, payment, outcome, outcome.status);
    countOutcome(transaction, payment, countedOf(outcome));
    await applyPayment(within, payment, outcome);
    await clearCardOfErased(transaction, paymentUid);
    await forgetPaidBack(within, paymentUid);
    await countAttempt(transaction, paymentUid, outcome);
    await wakeNotices(within, payment.account_uid);
  });
}

function logCharge(
  context: SubscriptionContext,
  { uid, amount }: Payment,
  decided: PaymentOutcome,
  outcome: string,
) {
  const charged = decided.status === "success" ? decided.charged : undefined;
  // Another currency is told in a line of its own (`reportOtherCharge`).
  const moved = charged?.currency === "eur" ? charged.amount : amount;
  logMovement(context, { movement: "charge", uid, amount: moved, outcome });
}

const countOutcome = (transaction: Database, { kind }: Payment, outcome: string) =>
  afterCommit(transaction, () => counts.payments.add({ kind, outcome }));

/** A renewal without a card was refused by nobody. */
const countedOf = (outcome: PaymentOutcome) =>
  outcome.status !== "success" && outcome.code === NO_CARD_CODE ? "no_card" : outcome.status;

/**
 * Tells the operator when another amount was charged than ordered. The person has paid, so access is not
 * refused: what is owed, they decide.
 */
function reportOtherCharge(
  { log }: SubscriptionContext,
  { uid: payment, amount, status }: Payment,
  outcome: PaymentOutcome,
) {
  const charged = outcome.status === "success" ? outcome.charged : undefined;
  if (!charged || status === "success") return;
  if (charged.amount === amount && charged.currency === "eur") return;
  log.error({ payment, amount, charged }, "another amount was charged than ordered");
}

/** Keeps the earliest time: news of an order come late, and the provider may tell its time only then. */
function orderedBy(time: Date) {
  const at = time.toISOString();
  return sql<string>`case when ordered_at < ${at} then ordered_at else ${at} end`;
}

/** A renewal that the provider tells of was asked for, whatever was recorded. */
const askedBy = (time: Date) =>
  sql<string>`case when kind = 'renewal' then coalesce(asked_at, ${time.toISOString()}) end`;

/** Refunds a payment that was paid after it had been recorded as failed or cancelled. */
async function refundLatePayment(
  context: SubscriptionContext,
  paymentUid: string,
  outcome: PaymentOutcome,
) {
  if (outcome.status !== "success") return;
  const givenUp = await context.db
    .updateTable("payment")
    .set(columnsOf(context, outcome))
    .where("uid", "=", paymentUid)
    .where("status", "in", ["failure", "cancelled"])
    .returningAll()
    .executeTakeFirst();
  const isNew = givenUp !== undefined && (await refundPayment(context, givenUp));
  if (isNew) {
    logCharge(context, givenUp, outcome, "success after it was given up");
    countOutcome(context.db, givenUp, "late");
  }
  await clearCardOfErased(context.db, paymentUid);
}

/** Removes the card from a payment that was settled after its account was erased. */
async function clearCardOfErased(db: Database, paymentUid: string) {
  const deleted = db.selectFrom("account").select("uid").where("status", "=", "deleted");
  await db
    .updateTable("payment")
    .set({ card_reference: null, card_hint: null })
    .where("uid", "=", paymentUid)
    .where("account_uid", "in", deleted)
    .execute();
}

/** Counts the attempt if it was refused: only refused cards are limited. */
async function countAttempt(transaction: Database, uid: string, { status }: PaymentOutcome) {
  if (status === "failure") await restoreCardAttempt(transaction, uid);
  else await uncountCardAttempt(transaction, uid);
}

function columnsOf({ site }: SubscriptionContext, outcome: PaymentOutcome) {
  return outcome.status === "success"
    ? {
        card_reference: outcome.cardReference,
        card_hint: outcome.cardHint,
        seller: sellerColumn(site),
        // Errors of earlier calls that the provider did not answer are cleared.
        error_code: null,
        error_message: null,
        ...(outcome.reference && { gateway_reference: outcome.reference }),
      }
    : { error_code: outcome.code, error_message: outcome.message };
}
