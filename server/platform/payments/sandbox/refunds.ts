import type { Database } from "../../database/tables";
import type {
  PaymentName,
  RefundDecision,
  RefundRequest,
  Reversals,
} from "../../ports/payment-gateway";
import { findPayment } from "./store";
import type { World } from "./world";

/** Gives back what was paid, at most that much and once: a movement is named by its `refundUid`. */
export async function refund(world: World, request: RefundRequest): Promise<RefundDecision> {
  const { db, clock } = world;
  const { refundUid, payment, email, amount } = request;
  const paid = await findPayment(db, payment);
  if (paid?.status !== "paid" || amount > paid.amount) return { status: "failure" };
  if (world.refusesRefunds()) return { status: "failure" };
  const reference = paid.uid;
  await db
    .insertInto("bank_movement")
    .values({
      uid: refundUid,
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
  return { status: (await isMoved(db, refundUid, reference)) ? "success" : "failure" };
}

export async function reversalsOf({ db }: World, payment: PaymentName): Promise<Reversals> {
  const paid = await findPayment(db, payment);
  const moved = await db
    .selectFrom("bank_movement")
    .select(["uid", "amount"])
    .where("kind", "=", "refund")
    .where("reference", "=", paid?.uid ?? "")
    .execute();
  const refunds = moved.map(({ uid, amount }) => ({
    ...{ reference: uid, refundUid: uid, attempt: 1, amount, status: "success" as const },
  }));
  return { refunds, claims: [] };
}

/** False when the payment was given back before, under another name. */
async function isMoved(db: Database, refundUid: string, reference: string) {
  const movement = await db
    .selectFrom("bank_movement")
    .select("uid")
    .where("uid", "=", refundUid)
    .where("reference", "=", reference)
    .executeTakeFirst();
  return movement !== undefined;
}
