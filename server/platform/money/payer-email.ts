import type { Context } from "../database/context";
import { readLeft, readOwed } from "./owed-refunds";
import { findPayment, isUnsettled } from "./payments";

/** Clears the e-mail that an erased person's payment keeps, once nothing of it is owed or may become so. */
export async function forgetPaidBack({ db }: Pick<Context, "db">, uid: string) {
  const payment = await findPayment(db, uid);
  if (!payment || payment.payer_email === null || isUnsettled(payment)) return;
  const pending = await db
    .selectFrom("refund")
    .select("uid")
    .where("payment_uid", "=", uid)
    .where("status", "=", "pending")
    .executeTakeFirst();
  const isKept = payment.status === "success" && (await readLeft(db, payment)) > 0;
  if (pending || isKept || (await readOwed(db, payment))) return;
  await db.updateTable("payment").set({ payer_email: null }).where("uid", "=", uid).execute();
}
