import type { Database } from "../../database/tables";
import type {
  PaymentName,
  RefundDecision,
  RefundRequest,
  Reversals,
} from "../../ports/payment-gateway";
import type { Clock } from "../../ports/clock";
import { findPayment, movePage } from "./store";
import type { BankContext } from "./context";

/**
 * Refunds a payment in parts or as a whole, never more than was paid. Each request moves money once: the uid
 * of the movement contains refund and attempt.
 */
export async function refund(
  context: BankContext,
  request: RefundRequest,
): Promise<RefundDecision> {
  const paid = await findPayment(context.db, request.payment);
  if (paid?.status !== "paid" || context.refusesRefunds()) return { status: "failure" };
  const isMade = await context.db
    .transaction()
    .execute((transaction) => move(transaction, context.clock, paid.uid, request));
  return { status: isMade ? "success" : "failure" };
}

/** @returns false when less than that is left of the payment */
async function move(
  transaction: Database,
  clock: Clock,
  reference: string,
  { email, amount, ...request }: RefundRequest,
): Promise<boolean> {
  const uid = movementUidOf(request);
  // Locks the page: of two refunds at the same time the second counts the first.
  const paid = await movePage(transaction, reference, ["paid"], { status: "paid" });
  const made = await findRefunds(transaction, reference);
  if (made.some((earlier) => earlier.uid === uid)) return true;
  const gone = made.reduce((sum, earlier) => sum + earlier.amount, 0);
  if (!paid || gone + amount > paid.amount) return false;
  await transaction
    .insertInto("bank_movement")
    .values({
      uid,
      reference,
      at: clock.now().toISOString(),
      email,
      kind: "refund",
      amount,
      currency: "EUR",
      status: "success",
    })
    .execute();
  return true;
}

export async function reversalsOf({ db }: BankContext, payment: PaymentName): Promise<Reversals> {
  const paid = await findPayment(db, payment);
  const moved = await findRefunds(db, paid?.uid ?? "");
  const refunds = moved.map(({ uid, amount }) => ({
    reference: uid,
    amount,
    status: "success" as const,
    ...parseMovementUid(uid),
  }));
  return { refunds, claims: [] };
}

/** The uid of the first attempt is the refund's; later attempts add their number. */
const movementUidOf = ({ refundUid, attempt }: Pick<RefundRequest, "refundUid" | "attempt">) =>
  attempt > 1 ? `${refundUid}:${attempt}` : refundUid;

function parseMovementUid(uid: string) {
  const [refundUid = uid, attempt = 1] = uid.split(":");
  return { refundUid, attempt: Number(attempt) };
}

async function findRefunds(db: Database, reference: string) {
  return db
    .selectFrom("bank_movement")
    .select(["uid", "amount"])
    .where("kind", "=", "refund")
    .where("reference", "=", reference)
    .orderBy("at")
    .orderBy("uid")
    .execute();
}
