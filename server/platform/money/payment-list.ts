import type { ExpressionBuilder } from "kysely";
import type { Database, Tables } from "../database/tables";
import { lackedCard } from "./payment-state";
import { receiptNumberOf } from "./payments";
import { isDelayedDebit } from "./undecided-debit";
import { GIVEN_UP, readOwed, type Refund } from "./owed-refunds";

/** A refund that an operator ordered, as it is recorded: the audit line of who did it, when and why. */
type RefundOrder = {
  at: string;
  by: string | null;
  reason: string | null;
  amount: number;
  status: Tables["refund"]["status"];
  /** Who recorded that it was paid by another way. */
  repaidBy: string | null;
};

/** A payment as shown to the operator, without the card's reference. */
export type ListedPayment = {
  at: string;
  email: string;
  /** The stored kind. `first` is any payment by the person. */
  kind: Tables["payment"]["kind"];
  amount: number;
  status: "open" | "pending" | "success" | "failure" | "cancelled";
  /** Cents that went back, here or at the provider. */
  refunded: number;
  /** Cents that are on their way back. */
  refundPending: number;
  /** Cents that the operator has to give back by hand, after a refund that failed for good. */
  refundGivenUp: number;
  /** Whether the bank claims it back: while it is open, or once it is lost, the money is gone. */
  dispute: "open" | "lost" | "won" | null;
  /** Why it was refused, or could not be decided yet; the provider's code where it is theirs. */
  code: string | null;
  payment: string;
  /** The number on its receipt. */
  receipt: string;
  /** The reference of its contract; null of an order that became none. */
  contract: string | null;
  /** The provider's reference of the payment. */
  bankReference: string | null;
  /** Refunds that operators ordered, oldest first. */
  orders: RefundOrder[];
};

type Options = {
  /**
   * `failed`: only payments that were refused, or are undecided because the provider was unreachable;
   * `reversed`: only payments with a refund, made or attempted, or a dispute.
   */
  only: "failed" | "reversed" | null;
  since: Date;
  /** Only those of this account. */
  accountUid?: string;
};

/** The payments begun since then, newest last; the reversed ones where that happened since then. */
export async function listPayments(
  db: Database,
  { only, since, accountUid }: Options,
): Promise<ListedPayment[]> {
  const from = since.toISOString();
  const rows = await db
    .selectFrom("payment")
    .innerJoin("account", "account.uid", "payment.account_uid")
    .select(["payment.created_at as at", "account.identifier as email"])
    .select(["payment.kind", "payment.amount", "payment.status", "payment.error_code as code"])
    .select("payment.asked_at")
    .select(["payment.uid as payment", "payment.gateway_reference as bankReference"])
    .select((e) => [
      e.fn.coalesce("payment.subscription_uid", orderedBy(e)).as("contract"),
      refundsOf(e).where("refund.status", "=", "success").as("refunded"),
      refundsOf(e).where("refund.status", "=", "pending").as("refundPending"),
      isLeftToOperator(e).as("isGivenUp"),
      disputesOf(e, "open").as("open"),
      disputesOf(e, "lost").as("lost"),
      disputesOf(e, "won").as("won"),
    ])
    .$if(accountUid !== undefined, (q) => q.where("account.uid", "=", accountUid ?? ""))
    .where((e) => {
      if (only === "reversed") return isReversed(e, from);
      const isRecent = e("payment.created_at", ">=", from);
      return only === "failed" ? e.and([isRecent, isFailed(e)]) : isRecent;
    })
    .orderBy("payment.created_at")
    .orderBy("payment.uid")
    .execute();
  const leftBehind = new Map<string, number>();
  for (const { payment: uid, amount, isGivenUp } of rows) {
    if (isGivenUp) leftBehind.set(uid, (await readOwed(db, { uid, amount }))?.amount ?? 0);
  }
  const orders = await readOrders(
    db,
    rows.map(({ payment }) => payment),
  );
  return rows.map(({ at, email, kind, amount, status, open, lost, won, ...row }) => ({
    at,
    email,
    kind,
    amount,
    status,
    refunded: Number(row.refunded),
    refundPending: Number(row.refundPending),
    refundGivenUp: leftBehind.get(row.payment) ?? 0,
    dispute: Number(open) ? "open" : Number(lost) ? "lost" : Number(won) ? "won" : null,
    code: row.code && codeOf({ ...row, kind, status, code: row.code }),
    payment: row.payment,
    receipt: receiptNumberOf(row.payment),
    contract: row.contract,
    bankReference: row.bankReference,
    orders: orders.get(row.payment) ?? [],
  }));
}

type Coded = Pick<ListedPayment, "kind" | "status"> & { code: string; asked_at: string | null };

/** Tells apart a renewal that the provider could not be asked for, so that no money has moved. */
function codeOf({ kind, status, code, asked_at }: Coded): string {
  return isDelayedDebit({ kind, status, asked_at }) || lackedCard({ status, error_code: code })
    ? `not asked: ${code}`
    : code;
}

/** Payments are asked for in groups: a statement takes a limited number of values. */
const GROUP = 500;

async function readOrders(db: Database, payments: string[]): Promise<Map<string, RefundOrder[]>> {
  const orders = new Map<string, RefundOrder[]>();
  for (let start = 0; start < payments.length; start += GROUP) {
    const rows = await db
      .selectFrom("refund")
      .selectAll()
      .where("made_by", "=", "operator")
      .where("payment_uid", "in", payments.slice(start, start + GROUP))
      .orderBy("created_at")
      .orderBy("uid")
      .execute();
    for (const {
      payment_uid,
      created_at: at,
      ordered_by: by,
      repaid_by: repaidBy,
      ...row
    } of rows) {
      const { reason, amount, status } = row;
      const earlier = orders.get(payment_uid) ?? [];
      orders.set(payment_uid, [...earlier, { at, by, reason, amount, status, repaidBy }]);
    }
  }
  return orders;
}

/** The contract that this order began. */
const orderedBy = (e: OfPayment) =>
  e
    .selectFrom("subscription")
    .select("subscription.uid")
    .whereRef("subscription.payment_uid", "=", "payment.uid");

type OfPayment = ExpressionBuilder<Tables, "payment">;

const refundsOf = (e: OfPayment) =>
  e
    .selectFrom("refund")
    .select((e) => e.fn.coalesce(e.fn.sum<number>("refund.amount"), e.lit(0)).as("amount"))
    .whereRef("refund.payment_uid", "=", "payment.uid");

/** A refund was given up, or one by hand bounced after we had given back the rest only. */
function isLeftToOperator(e: OfPayment) {
  const made = (by: Refund["made_by"], ...statuses: readonly Refund["status"][]) =>
    e.exists(
      e
        .selectFrom("refund")
        .select("refund.uid")
        .whereRef("refund.payment_uid", "=", "payment.uid")
        .where("refund.made_by", "=", by)
        .where("refund.status", "in", statuses),
    );
  return e.or([
    made("platform", ...GIVEN_UP),
    made("operator", ...GIVEN_UP),
    e.and([made("platform", "success"), made("provider", "failure")]),
  ]);
}

const disputesOf = (e: OfPayment, status: "open" | "lost" | "won") =>
  e
    .selectFrom("payment_claim")
    .select((e) => e.fn.countAll<number>().as("count"))
    .whereRef("payment_claim.payment_uid", "=", "payment.uid")
    .where("payment_claim.kind", "=", "dispute")
    .where("payment_claim.status", "=", status);

const isFailed = (e: OfPayment) =>
  e.or([
    e("payment.status", "=", "failure"),
    e.and([
      e("payment.status", "in", ["open", "pending", "cancelled"]),
      e("payment.kind", "=", "renewal"),
      e("payment.error_code", "is not", null),
    ]),
  ]);

/** A refund of nothing, or a manual one that bounced, does not count, unless the operator has to repeat it. */
function isReversed(e: OfPayment, from: string) {
  const refunds = e
    .selectFrom("refund")
    .select("refund.payment_uid")
    .where((e) => e.or([e("created_at", ">=", from), e("settled_at", ">=", from)]))
    .where((e) =>
      e.or([
        e("status", "in", ["pending", "success"]),
        e.and([
          e("status", "in", GIVEN_UP),
          e.or([e("made_by", "in", ["platform", "operator"]), isLeftToOperator(e)]),
        ]),
      ]),
    );
  const disputes = e
    .selectFrom("payment_claim")
    .select("payment_claim.payment_uid")
    .where("kind", "=", "dispute")
    .where((e) => e.or([e("created_at", ">=", from), e("closed_at", ">=", from)]));
  return e.or([e("payment.uid", "in", refunds), e("payment.uid", "in", disputes)]);
}
