import { identifierKey } from "../accounts/identifier";
import { statusesOf, type SupportType } from "../../../app/contract/ticket-status";
import type { Context } from "../database/context";
import type { Database } from "../database/tables";
import { findContractName } from "../money/contract-name";
import { periodsOf } from "../subscriptions/contract-periods";
import { findCredit } from "../subscriptions/credit-row";
import { hasNoCard } from "../subscriptions/due";
import { selectNewestFirst, type SubscriptionRow } from "../database/subscription-row";
import { listPayments } from "../money/payment-list";
import { readMails } from "./person-mails";
import { rolesOf } from "../subscriptions/roles";

type Store = Pick<Context, "db" | "clock">;

/**
 * What whoever answers the phone needs to know of a person: account, contracts, payments, mails and what is open.
 * It holds no secret, no card, and nothing that somebody wrote but the reasons of refunds.
 * @returns null when no account has that e-mail
 */
export async function readPersonRecord({ db, clock }: Store, email: string) {
  const account = await db
    .selectFrom("account")
    .selectAll()
    .where("identifier_key", "=", identifierKey(email))
    .executeTakeFirst();
  if (!account) return null;
  const { uid } = account;
  const now = clock.now();
  const contracts = await selectNewestFirst(db, uid).selectAll().execute();
  return {
    account: {
      uid,
      email: account.identifier,
      status: account.status,
      roles: Object.keys(await rolesOf(db, uid, now)),
      createdAt: account.created_at,
      lastSignInAt: account.last_sign_in_at,
      hasPassword: account.password_hash !== null,
      deletionAnnouncedAt: account.deletion_announced_at,
    },
    contracts: await Promise.all(contracts.map((contract) => describeContract(db, contract))),
    openNotices: await readOpenNotices(db, uid, now),
    payments: await readPayments(db, uid),
    mails: await readMails(db, account),
    openTickets: {
      contact: await countOpen(db, "contact", "email_key", account.identifier_key),
      coaching: await countOpen(db, "coaching", "account_uid", uid),
    },
  };
}

async function describeContract(db: Database, contract: SubscriptionRow) {
  const credit = await findCredit(db, contract.uid);
  return {
    reference: contract.uid,
    formula: await findContractName(db, contract),
    amount: contract.amount,
    period: periodsOf(contract).period,
    trialAmount: contract.trial_amount,
    startedAt: contract.started_at,
    paidUntil: contract.expires_at,
    graceUntil: contract.grace_until,
    declinedRenewals: contract.renewal_attempts,
    hasCard: !hasNoCard(contract),
    cardExpiry: contract.card_expiry,
    cancelledAt: contract.cancelled_at,
    withdrawnAt: contract.withdrawn_at,
    endedAt: contract.ended_at,
    endedByPayment: contract.ended_by_payment,
    credit: credit ? { amount: credit.amount, state: credit.status } : null,
  };
}

/** Declarations that still change something, or can still be undone. What was typed in them stays out. */
async function readOpenNotices(db: Database, accountUid: string, now: Date) {
  const moment = now.toISOString();
  const rows = await db
    .selectFrom("contract_notice")
    .innerJoin("subscription", "subscription.uid", "contract_notice.subscription_uid")
    .selectAll("contract_notice")
    .where("subscription.account_uid", "=", accountUid)
    .where("contract_notice.undone_at", "is", null)
    .where("contract_notice.settled_at", "is", null)
    .where((e) =>
      e.or([
        e("subscription.ended_at", "is", null),
        e("contract_notice.undo_until", ">", moment),
        e("contract_notice.stops_at", ">", moment),
      ]),
    )
    .orderBy("contract_notice.received_at")
    .orderBy("contract_notice.uid")
    .execute();
  return rows.map((row) => ({
    kind: row.kind,
    contract: row.subscription_uid,
    receivedAt: row.received_at,
    isSignedIn: row.signed_in === 1,
    stopsAt: row.stops_at,
    undoableUntil: row.undo_until,
  }));
}

async function readPayments(db: Database, accountUid: string) {
  const payments = await listPayments(db, { only: null, since: new Date(0), accountUid });
  const refunds = await db
    .selectFrom("refund")
    .innerJoin("payment", "payment.uid", "refund.payment_uid")
    .selectAll("refund")
    .where("payment.account_uid", "=", accountUid)
    .orderBy("refund.created_at")
    .orderBy("refund.uid")
    .execute();
  const claims = await db
    .selectFrom("payment_claim")
    .innerJoin("payment", "payment.uid", "payment_claim.payment_uid")
    .selectAll("payment_claim")
    .where("payment.account_uid", "=", accountUid)
    .orderBy("payment_claim.created_at")
    .orderBy("payment_claim.reference")
    .execute();
  return payments.map(({ email: _, orders: __, ...payment }) => ({
    ...payment,
    refunds: refunds
      .filter(({ payment_uid }) => payment_uid === payment.payment)
      .map((row) => ({
        at: row.created_at,
        amount: row.amount,
        status: row.status,
        settledAt: row.settled_at,
        madeBy: row.made_by,
        by: row.ordered_by,
        reason: row.reason,
        repaidBy: row.repaid_by,
        repaidReference: row.repaid_reference,
      })),
    claims: claims
      .filter(({ payment_uid }) => payment_uid === payment.payment)
      .map(({ kind, amount, status, created_at: at, closed_at: closedAt }) => ({
        at,
        kind,
        amount,
        status,
        closedAt,
      })),
  }));
}

async function countOpen(
  db: Database,
  type: SupportType,
  owner: "email_key" | "account_uid",
  value: string,
): Promise<number> {
  const { open } = await db
    .selectFrom("ticket")
    .select((e) => e.fn.countAll().as("open"))
    .where("type", "=", type)
    .where(owner, "=", value)
    .where("status", "in", statusesOf("active"))
    .executeTakeFirstOrThrow();
  return Number(open);
}
