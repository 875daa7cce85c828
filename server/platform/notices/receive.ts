import type { z } from "zod/v4";
import type { contractNotice, contractNoticeReceipt } from "../../../app/contract/subscriptions";
import { enqueue } from "../jobs/queue";
import { newUid } from "../ports/ids";
import type { Life } from "../subscriptions/life/world";
import type { Notice } from "./store";

export type Given = z.output<typeof contractNotice> & { kind: Notice["kind"] };

/** Kind of the job that does what a notice says. */
export const PROCESSING = "notice.process";

export async function record(
  { db, clock }: Life,
  given: Given & { origin: string },
): Promise<Notice> {
  const { kind, origin, name, email } = given;
  return db
    .insertInto("contract_notice")
    .values({
      ...{ uid: newUid(), kind, origin, name, email },
      reference: given.reference ?? null,
      wished_date: given.date ?? null,
      received_at: clock.now().toISOString(),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/**
 * What a notice is about is looked up by a job: answer and time are the same whether or not there is
 * a contract.
 */
export async function processLater({ db, clock }: Life, { uid }: Notice) {
  const payload = { noticeUid: uid };
  await enqueue(db, { kind: PROCESSING, key: `${PROCESSING}:${uid}`, payload, runAt: clock.now() });
}

export const receiptOf = (
  { uid, received_at }: Notice,
  awaitsConfirmation: boolean,
): z.input<typeof contractNoticeReceipt> => ({ uid, receivedAt: received_at, awaitsConfirmation });
