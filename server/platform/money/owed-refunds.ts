import type { Selectable } from "kysely";
import { receiptNumberOf, type Payment } from "./payments";
import type { Database, Tables } from "../database/tables";
import { findPayerEmail } from "../mail/contract-mail";
import { findContractOf, isPaymentOf, type SubscriptionRow } from "../database/subscription-row";

export type Refund = Selectable<Tables["refund"]>;
type Paid = Pick<Payment, "uid" | "amount">;

/** No further attempt is made: the bank refused the last one, or has not decided for months. */
export const GIVEN_UP = ["failure", "undecided"] as const;

const isGivenUp = ({ status }: Pick<Refund, "status">) =>
  GIVEN_UP.some((ended) => ended === status);

/**
 * Reads the amount that the platform's own refund of a payment has returned or will return, without
 * refunds by hand and disputed amounts. `owed`: what an operator has to give back, as it was given up;
 * `elsewhere`: what came back by another way than the card.
 */
export async function readOwnRefund(db: Database, payment: Payment) {
  const ownRefund = await db
    .selectFrom("refund")
    .selectAll()
    .where("payment_uid", "=", payment.uid)
    .where("made_by", "=", "platform")
    .executeTakeFirst();
  const nothing = { amount: 0, isDone: true, owed: 0, elsewhere: 0, isUndecided: false };
  switch (ownRefund?.status) {
    case "success": {
      const { amount, repaid_by } = ownRefund;
      return { ...nothing, amount, elsewhere: repaid_by === null ? 0 : amount };
    }
    case "pending":
      return { ...nothing, amount: await readLeft(db, payment, ownRefund.uid), isDone: false };
    case "failure":
      return { ...nothing, owed: await readLeft(db, payment) };
    case "undecided":
      return { ...nothing, owed: await readLeft(db, payment), isUndecided: true };
    case "cancelled":
    case undefined:
      return nothing;
  }
}

/**
 * Reads the cents of a payment that neither went back nor are on their way, and that no dispute holds or has
 * taken.
 * @param without uid of a refund that does not count
 */
export async function readLeft(db: Database, paid: Paid, without = ""): Promise<number> {
  const { uid, amount } = paid;
  const returned = await readReturned(db, paid, without);
  const disputes = await db
    .selectFrom("payment_claim")
    .select("amount")
    .where("payment_uid", "=", uid)
    .where("kind", "=", "dispute")
    .where("status", "!=", "won")
    .execute();
  return Math.max(0, amount - returned - sumOf(disputes));
}

/** Reads the cents of a payment that went back, or are on their way. @param without as in `readLeft` */
export async function readReturned(
  db: Database,
  { uid }: Pick<Paid, "uid">,
  without = "",
): Promise<number> {
  const refunds = await db
    .selectFrom("refund")
    .select("amount")
    .where("payment_uid", "=", uid)
    .where("status", "in", ["pending", "success"])
    .where("uid", "!=", without)
    .execute();
  return sumOf(refunds);
}

const sumOf = (amounts: { amount: number }[]) => amounts.reduce((sum, one) => sum + one.amount, 0);

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
export async function owesRefundOf(db: Database, subscription: SubscriptionRow) {
  const refunds = selectRefundsTo(db, subscription.account_uid);
  return isAnyOwed(db, refunds.where(isPaymentOf(subscription)));
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
    const isLeft = isGivenUp({ status }) && made_by === "platform";
    if (isLeft && (await readLeft(db, payment)) > 0) return true;
  }
  return false;
}

/** What an operator has to give back of a payment by hand. `refunds`: those that it stands for, oldest first. */
export type Owed = {
  amount: number;
  why: "refused" | "undecided" | "sent back";
  refunds: Refund[];
};

/**
 * Reads what an operator has to give back by hand: after our refund was given up; after one by hand came back;
 * or after the last refund that was ordered was given up.
 */
export async function readOwed(db: Database, payment: Paid): Promise<Owed | null> {
  const refunds = await readRefundsOf(db, payment);
  const own = refunds.find(({ made_by }) => made_by === "platform");
  const left = await readLeft(db, payment);
  if (own && isGivenUp(own)) return owedFor(left, [own]);
  const shortfall = shortfallOf(refunds, left);
  if (shortfall > 0) return { amount: shortfall, why: "sent back", refunds: bouncedOf(refunds) };
  const last = refunds.findLast(({ made_by }) => made_by !== "platform");
  if (last?.made_by !== "operator" || !isGivenUp(last)) return null;
  return owedFor(Math.min(last.amount, left), [last]);
}

function owedFor(amount: number, refunds: [Refund]): Owed | null {
  if (amount === 0) return null;
  const why = refunds[0].status === "undecided" ? "undecided" : "refused";
  return { amount, why, refunds };
}

/** Reads the cents of refunds by hand that came back, of a payment of which we gave something back, or were to. */
export async function readShortfall(db: Database, payment: Paid): Promise<number> {
  return shortfallOf(await readRefundsOf(db, payment), await readLeft(db, payment));
}

/** A rule gives back the whole payment; an order may be of a part, so that only what came back is missing. */
function shortfallOf(refunds: Refund[], left: number): number {
  const bounced = sumOf(bouncedOf(refunds));
  if (bounced === 0) return 0;
  const ended = refunds.filter((refund) => refund.status === "success" || isGivenUp(refund));
  if (ended.some(({ made_by, status }) => made_by === "platform" && status === "success")) {
    return left;
  }
  return ended.some(({ made_by }) => made_by === "operator") ? Math.min(bounced, left) : 0;
}

const bouncedOf = (refunds: Refund[]) =>
  refunds.filter(({ made_by, status }) => made_by === "provider" && status === "failure");

const readRefundsOf = (db: Database, { uid }: Paid) =>
  db
    .selectFrom("refund")
    .selectAll()
    .where("payment_uid", "=", uid)
    .orderBy("created_at")
    .orderBy("uid")
    .execute();

/** A payment of which something has to be given back by hand, as shown to the operator. */
export type OwedPayment = {
  /** When it was given up, or came back. */
  since: string;
  /** E-mail of the account, of the proof of its contract or of the payment; null once that is purged. */
  email: string | null;
  amount: number;
  why: Owed["why"];
  /** Why an operator ordered it; null where a rule says that it goes back. */
  reason: string | null;
  contract: string | null;
  payment: string;
  receipt: string;
  /** The provider's reference of the payment. */
  reference: string | null;
};

/** Lists what has to be given back by hand, oldest first. */
export async function listOwed(db: Database): Promise<OwedPayment[]> {
  const payments = await db
    .selectFrom("payment")
    .selectAll()
    .where(
      "uid",
      "in",
      db.selectFrom("refund").select("payment_uid").where("status", "in", GIVEN_UP),
    )
    .execute();
  const owed = await Promise.all(payments.map((payment) => describeOwed(db, payment)));
  return owed
    .filter((one) => one !== null)
    .toSorted((a, b) => (`${a.since} ${a.payment}` < `${b.since} ${b.payment}` ? -1 : 1));
}

async function describeOwed(db: Database, payment: Payment): Promise<OwedPayment | null> {
  const owed = await readOwed(db, payment);
  const first = owed?.refunds[0];
  if (!owed || !first) return null;
  const contract = await findContractOf(db, payment);
  return {
    since: first.settled_at ?? first.created_at,
    email: await findPayerEmail(db, payment),
    amount: owed.amount,
    why: owed.why,
    reason: first.reason,
    contract: contract?.uid ?? null,
    payment: payment.uid,
    receipt: receiptNumberOf(payment.uid),
    reference: payment.gateway_reference,
  };
}
