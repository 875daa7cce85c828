import { z } from "zod/v4";
import type { Database } from "../../database/tables";
import { enqueue } from "../../jobs/queue";
import type { Clock } from "../../ports/clock";
import { decideStoredOutcome } from "./page-decision";
import { decisionOf } from "./decision";
import { findPage } from "./store";
import type { BankContext } from "./context";

/** Kind of the job in which the bank decides later and notifies the merchant. */
export const SETTLEMENT = "sandbox.settle";

const COPIES = [1, 2];
const work = z.object({ pageUid: z.string() });

/** Schedules a late decision, twice: real providers sometimes notify twice. */
export async function decideLater(db: Database, clock: Clock, pageUid: string, seconds: number) {
  const runAt = new Date(clock.now().getTime() + seconds * 1000);
  for (const copy of COPIES) {
    const key = `${SETTLEMENT}:${pageUid}:${copy}`;
    await enqueue(db, { kind: SETTLEMENT, key, payload: { pageUid }, runAt });
  }
}

export async function settleInBackground({ db, clock, notify }: BankContext, payload: unknown) {
  const { pageUid } = work.parse(payload);
  await db
    .transaction()
    .execute((transaction) => decideStoredOutcome(transaction, clock, pageUid, "pending"));
  const page = await findPage(db, pageUid);
  const decision = decisionOf(page);
  if (decision) await notify(page.payment_uid, decision);
}
