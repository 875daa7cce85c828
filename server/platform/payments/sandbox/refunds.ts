import type { Database } from "../../database/tables";
import type {
  PaymentName,
  RefundDecision,
  RefundRequest,
  Reversals,
} from "../../ports/payment-gateway";
import { findPayment } from "./store";
import type { BankContext } from "./context";

/** Refunds at most the paid amount, once: the uid of the movement contains refund and attempt. */
export async function refund(
  context: BankContext,
  request: RefundRequest,
): Promise<RefundDecision> {
  const { db, clock } = context;
  const { payment, email, amount } = request;
  const paid = await findPayment(db, payment);
  if (paid?.status !== "paid" || amount > paid.amount) return { status: "failure" };
  if (context.refusesRefunds()) return { status: "failure" };
  const reference = paid.uid;
  const uid = movementUidOf(request);
  await db
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
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return { status: (await isMoved(db, uid, reference)) ? "success" : "failure" };
}

export async function reversalsOf({ db }: BankContext, payment: PaymentName): Promise<Reversals> {
  const paid = await findPayment(db, payment);
  const moved = await db
    .selectFrom("bank_movement")
    .select(["uid", "amount"])
    .where("kind", "=", "refund")
    .where("reference", "=", paid?.uid ?? "")
    .execute();
  const refunds = moved.map(({ uid, amount }) => ({
    reference: uid,
    amount,
    status: "success" as const,
    ...parseMovementUid(uid),
  }));
  return { refunds, claims: [] };
}

/** The uid of the first attempt is the refund's; later attempts add their number. */
const movementUidOf = ({ refundUid, attempt }: RefundRequest) =>
  attempt > 1 ? `${refundUid}:${attempt}` : refundUid;

function parseMovementUid(uid: string) {
  const [refundUid = uid, attempt = 1] = uid.split(":");
  return { refundUid, attempt: Number(attempt) };
}

/** False when the payment was already refunded under another uid. */
async function isMoved(db: Database, uid: string, reference: string) {
  const movement = await db
    .selectFrom("bank_movement")
    .select("uid")
    .where("uid", "=", uid)
    .where("reference", "=", reference)
    .executeTakeFirst();
  return movement !== undefined;
}
