import { z } from "zod/v4";
import { enqueue } from "../../jobs/queue";
import { newUid } from "../../ports/ids";
import type { RefundDecision } from "../../ports/payment-gateway";
import type { Tables } from "../../database/tables";
import { findPayment, type Payment } from "../payments";
import { inTransaction, type World } from "../world";
import { write } from "./letters";
import type { Life } from "./world";

/** Kind of the job that has the provider give a payment back. */
export const REFUND = "payment.refund";

const FIRST_RETRY_MS = 60_000;
const AT_MOST_EVERY_MS = 24 * 3_600_000;

const work = z.object({ refundUid: z.string(), attempt: z.int() });
type Work = z.infer<typeof work>;
type Refund = Tables["refund"];

/** Gives a payment back, once however often it is asked: the row first, the provider by a job. */
export async function refundPayment({ db, clock }: Life, { uid, amount }: Payment) {
  const now = clock.now();
  const refund = await db
    .insertInto("refund")
    .values({
      ...{ uid: newUid(), payment_uid: uid, amount, status: "pending" },
      created_at: now.toISOString(),
    })
    .onConflict((conflict) => conflict.column("payment_uid").doNothing())
    .returning("uid")
    .executeTakeFirst();
  if (refund) await scheduleRefund({ db }, { refundUid: refund.uid, attempt: 1 }, now);
}

async function scheduleRefund({ db }: Pick<Life, "db">, payload: Work, runAt: Date) {
  const key = `${REFUND}:${payload.refundUid}:${payload.attempt}`;
  await enqueue(db, { kind: REFUND, key, payload, runAt });
}

/** Work of the job: asks under one name until the provider has given the money back. */
export async function makeRefund(world: World, payload: unknown) {
  const { refundUid, attempt } = work.parse(payload);
  const refund = await findRefund(world, refundUid);
  if (!refund || refund.status === "success") return;
  const payment = await findPayment(world.db, refund.payment_uid);
  if (!payment) return;
  const { status } = await world.gateway.refund({
    refundUid,
    reference: payment.gateway_reference ?? payment.uid,
    email: await emailOf(world, payment),
    amount: refund.amount,
  });
  await inTransaction(world, (life) => record(life, { refund, payment, status, attempt }));
}

type Answer = {
  refund: Refund;
  payment: Payment;
  status: RefundDecision["status"];
  attempt: number;
};

async function record(life: Life, { refund, payment, status, attempt }: Answer) {
  const now = life.clock.now();
  const changed = await life.db
    .updateTable("refund")
    .set({ status, settled_at: status === "success" ? now.toISOString() : null })
    .where("uid", "=", refund.uid)
    .where("status", "!=", "success")
    .returning("uid")
    .executeTakeFirst();
  if (!changed) return;
  if (status !== "success") {
    const delay = Math.min(FIRST_RETRY_MS * 2 ** (attempt - 1), AT_MOST_EVERY_MS);
    const runAt = new Date(now.getTime() + delay);
    return scheduleRefund(life, { refundUid: refund.uid, attempt: attempt + 1 }, runAt);
  }
  await write(life, payment, `refund:${refund.uid}`, (site) => ({
    ...{ kind: "refund", site, amount: refund.amount, date: now.toISOString() },
  }));
}

async function findRefund({ db }: World, uid: string) {
  return db.selectFrom("refund").selectAll().where("uid", "=", uid).executeTakeFirst();
}

async function emailOf({ db }: World, { account_uid }: Payment) {
  const { identifier } = await db
    .selectFrom("account")
    .select("identifier")
    .where("uid", "=", account_uid)
    .executeTakeFirstOrThrow();
  return identifier;
}
