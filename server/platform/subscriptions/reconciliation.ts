import { z } from "zod/v4";
import type { Database } from "../database/tables";
import { enqueue } from "../jobs/queue";
import { findPayment } from "./payments";
import { decidePayment } from "./settlement";
import type { World } from "./world";

/** Kind of the job that asks the bank about a payment of which nothing was heard. */
export const RECONCILIATION = "payment.reconcile";

const FIRST_AFTER_MS = 60_000;
const AT_MOST_EVERY_MS = 3_600_000;

const work = z.object({ paymentUid: z.string(), attempt: z.int() });
type Work = z.infer<typeof work>;

/** Asks a minute after the payment began, then at doubling intervals, up to every hour. */
export async function scheduleReconciliation(db: Database, payload: Work, now: Date) {
  const delay = Math.min(FIRST_AFTER_MS * 2 ** (payload.attempt - 1), AT_MOST_EVERY_MS);
  await enqueue(db, {
    kind: RECONCILIATION,
    key: `${RECONCILIATION}:${payload.paymentUid}:${payload.attempt}`,
    payload,
    runAt: new Date(now.getTime() + delay),
  });
}

/** Work of the job: a notification that was lost is made up for. */
export async function reconcileInBackground(world: World, payload: unknown) {
  const { paymentUid, attempt } = work.parse(payload);
  if (await reconcile(world, paymentUid)) return;
  await scheduleReconciliation(world.db, { paymentUid, attempt: attempt + 1 }, world.clock.now());
}

/** Takes over what the bank knows of a payment; true when nothing is left to ask. */
export async function reconcile(world: World, paymentUid: string): Promise<boolean> {
  const payment = await findPayment(world.db, paymentUid);
  if (!payment || !isUnsettled(payment) || !payment.gateway_reference) return true;
  const state = await world.gateway.status(payment.gateway_reference);
  if (state.status === "open") return false;
  await decidePayment(world, paymentUid, state);
  return state.status !== "pending";
}

function isUnsettled({ status }: { status: string }) {
  return status === "open" || status === "pending";
}
