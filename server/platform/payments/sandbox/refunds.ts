import type { Database } from "../../database/tables";
import type { RefundDecision, RefundRequest } from "../../ports/payment-gateway";
import { findPayment } from "./store";
import type { World } from "./world";

/** Gives back what was paid, at most that much and once: a movement is named by its `refundUid`. */
export async function refund(
  { db, clock }: World,
  request: RefundRequest,
): Promise<RefundDecision> {
  const { refundUid, reference, email, amount } = request;
  const paid = await findPayment(db, { paymentUid: "", reference });
  if (paid?.status !== "paid" || amount > paid.amount) return { status: "failure" };
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
  return { status: (await isMoved(db, request)) ? "success" : "failure" };
}

/** False when the payment was given back before, under another name. */
async function isMoved(db: Database, { refundUid, reference }: RefundRequest) {
  const movement = await db
    .selectFrom("bank_movement")
    .select("uid")
    .where("uid", "=", refundUid)
    .where("reference", "=", reference)
    .executeTakeFirst();
  return movement !== undefined;
}
