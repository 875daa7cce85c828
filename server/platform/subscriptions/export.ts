import type { Database } from "../database/tables";
import type { ExportPart } from "../personal-data/export-part";
import { readProofs } from "./proof";
import { lackedCard } from "../money/payment-state";
import { describeTerms } from "./terms-in-force";
import { storedSeller } from "../money/receipt-seller";

const currency = "EUR";

export const subscriptionExport: ExportPart = {
  tables: [
    "subscription",
    "payment",
    "refund",
    "payment_claim",
    "contract_proof",
    "contract_mail",
    "credit",
  ],
  read: async (db, { uid }, _subjects, now) => ({
    subscriptions: await readSubscriptions(db, uid, now),
    payments: await readPayments(db, uid),
    refunds: await readRefunds(db, uid),
    claims: await readClaims(db, uid),
    ...(await readProofs(db, uid)),
    credits: await readCredits(db, uid),
  }),
};

async function readSubscriptions(db: Database, accountUid: string, now: Date) {
  const rows = await db
    .selectFrom("subscription")
    .selectAll()
    .where("account_uid", "=", accountUid)
    .orderBy("started_at")
    .orderBy("uid")
    .execute();
  const described = rows.map(async (row) => ({
    reference: row.uid,
    formula: row.formula_uid,
    amount: row.amount,
    trialAmount: row.trial_amount,
    credits: row.credits,
    currency,
    period: { duration: row.period_duration, unit: row.period_duration_unit },
    startedDateTime: row.started_at,
    expirationDateTime: row.expires_at,
    cancelledDateTime: row.cancelled_at,
    withdrawnDateTime: row.withdrawn_at,
    endedDateTime: row.ended_at,
    graceDateTime: row.grace_until,
    declinedRenewals: row.renewal_attempts,
    renewalNeeds: row.renewal_needs,
    cardExpiry: row.card_expiry,
    site: row.origin,
    terms: row.terms_digest,
    termsToldDateTime: row.terms_told_at,
    termsApplyDateTime: row.terms_apply_at,
    earlierTerms: row.terms_before,
    earlierTermsApplyDateTime: row.terms_before_from,
    ...(await describeTerms(db, row, now)),
  }));
  return Promise.all(described);
}

async function readPayments(db: Database, accountUid: string) {
  const rows = await db
    .selectFrom("payment")
    .selectAll()
    .where("account_uid", "=", accountUid)
    .orderBy("created_at")
    .orderBy("uid")
    .execute();
  return rows.map((row) => ({
    kind: row.kind,
    formula: row.formula_uid,
    amount: row.amount,
    currency,
    status: lackedCard(row) ? "not asked" : row.status,
    error: row.error_message,
    card: row.card_hint,
    cashback: row.cashback === 1,
    trafficToken: row.traffic_token,
    affiliation: row.affiliation_token && {
      token: row.affiliation_token,
      platform: row.affiliation_platform,
    },
    createdDateTime: row.created_at,
    orderedDateTime: row.ordered_at,
    settledDateTime: row.settled_at,
    periodStartDateTime: row.period_start,
    site: row.origin,
    terms: row.terms_digest,
    termsAcceptedDateTime: row.terms_accepted_at,
    termsNamed: row.terms_named === null ? null : row.terms_named === 1,
    name: row.payer_name,
    button: row.order_button,
    seller: storedSeller(row),
    isUnannounced: row.unannounced === 1,
  }));
}

async function readRefunds(db: Database, accountUid: string) {
  const rows = await db
    .selectFrom("refund")
    .innerJoin("payment", "payment.uid", "refund.payment_uid")
    .selectAll("refund")
    .where("payment.account_uid", "=", accountUid)
    .orderBy("refund.created_at")
    .orderBy("refund.uid")
    .execute();
  return rows.map((row) => ({
    amount: row.amount,
    currency,
    status: row.status,
    reason: row.reason,
    isRepaidElsewhere: row.repaid_by !== null,
    repaidReference: row.repaid_reference,
    createdDateTime: row.created_at,
    settledDateTime: row.settled_at,
  }));
}

/** Reads the claims of the bank on the person's payments. */
async function readClaims(db: Database, accountUid: string) {
  const rows = await db
    .selectFrom("payment_claim")
    .innerJoin("payment", "payment.uid", "payment_claim.payment_uid")
    .selectAll("payment_claim")
    .where("payment.account_uid", "=", accountUid)
    .orderBy("payment_claim.created_at")
    .orderBy("payment_claim.reference")
    .execute();
  return rows.map((row) => ({
    kind: row.kind,
    amount: row.amount,
    currency,
    status: row.status,
    createdDateTime: row.created_at,
    closedDateTime: row.closed_at,
  }));
}

async function readCredits(db: Database, accountUid: string) {
  const rows = await db
    .selectFrom("credit")
    .innerJoin("subscription", "subscription.uid", "credit.subscription_uid")
    .selectAll("credit")
    .where("subscription.account_uid", "=", accountUid)
    .orderBy("credit.created_at")
    .orderBy("credit.subscription_uid")
    .execute();
  return rows.map((row) => ({
    contract: row.subscription_uid,
    amount: row.amount,
    currency,
    debtor: row.debtor,
    way: row.way,
    delayDays: row.delay_days,
    delayAfter: row.delay_after,
    conditions: row.conditions,
    status: row.status,
    reason: row.void_reason,
    reclaimReason: row.reclaim_reason,
    dueDateTime: row.due_at,
    paidDate: row.paid_on,
    createdDateTime: row.created_at,
    settledDateTime: row.settled_at,
  }));
}
