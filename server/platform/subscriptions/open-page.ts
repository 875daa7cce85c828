import { decidePayment } from "./settlement";
import type { World } from "./world";

/**
 * Takes the bank's page of a person who leaves out of use, so that nothing is paid any more. Where
 * the bank does not answer, leaving goes on: what is paid there later goes back (`followPayment`).
 */
export async function closeOpenPage(world: World, accountUid: string) {
  const payment = await world.db
    .selectFrom("payment")
    .select(["uid", "gateway_reference"])
    .where("account_uid", "=", accountUid)
    .where("kind", "=", "first")
    .where("status", "in", ["open", "pending"])
    .executeTakeFirst();
  if (!payment?.gateway_reference) return;
  try {
    const decision = await world.gateway.closePaymentPage(payment.gateway_reference);
    await decidePayment(world, payment.uid, decision);
  } catch (error) {
    world.log.warn({ err: error, payment: payment.uid }, "payment page could not be closed");
  }
}
