import type { z } from "zod/v4";
import type { contractNotice, contractNoticeReceipt } from "../../../app/contract/subscriptions";
import { identifierKey } from "../accounts/identifier";
import type { Database } from "../database/tables";
import { invalid } from "../http/refusal";
import { enqueue } from "../jobs/queue";
import { newUid } from "../ports/ids";
import type { SubscriptionContext } from "../subscriptions/context";
import { dayOf, lastWishedDay } from "../../../app/contract/day";
import type { Notice } from "./store";

export type Given = z.output<typeof contractNotice> & { kind: Notice["kind"] };

/** Kind of the job that applies a notice. */
export const PROCESS_NOTICE = "notice.process";

/** Time in which an equal notice counts as a repetition: the lifetime of its link. */
const REPEATS_MS = 7 * 24 * 3_600_000;

type Sent = Given & { origin: string; senderKey: string };

/**
 * Records a notice and chooses the receipt to answer with: a sender who repeats a notice gets the
 * first receipt. Repetitions are found by the typed data, never by a contract, so that the receipt
 * does not tell whether there is one.
 * @throws Refusal 400 for a date in the past or too far ahead
 */
export async function recordNotice({ db, clock }: SubscriptionContext, sent: Sent) {
  const now = clock.now();
  const given = { ...sent, reference: sent.reference?.trim() };
  if (given.kind === "cancellation" && given.date) {
    if (given.date < dayOf(now)) throw invalid("date", "The date is past");
    if (given.date > lastWishedDay(now)) throw invalid("date", "The date is too far ahead");
  }
  const similar = selectSimilar(db, given, now);
  const first = await similar.where("repeats_uid", "is", null).executeTakeFirst();
  const own = await similar.where("sender_key", "=", given.senderKey).executeTakeFirst();
  const notice = await db
    .insertInto("contract_notice")
    .values({
      uid: newUid(),
      kind: given.kind,
      origin: given.origin,
      name: given.name,
      email: given.email,
      email_key: identifierKey(given.email),
      reference: given.reference || null,
      wished_date: given.date ?? null,
      received_at: now.toISOString(),
      sender_key: given.senderKey,
      repeats_uid: first?.uid ?? null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return { notice, answered: own ?? notice };
}

/**
 * Enqueues the job that looks up the contract, so that response and time do not tell whether there
 * is one.
 */
export async function enqueueProcessing({ db, clock }: SubscriptionContext, { uid }: Notice) {
  const payload = { noticeUid: uid };
  await enqueue(db, {
    kind: PROCESS_NOTICE,
    key: `${PROCESS_NOTICE}:${uid}`,
    payload,
    runAt: clock.now(),
  });
}

export const receiptOf = (
  { uid, received_at }: Notice,
  awaitsConfirmation: boolean,
): z.input<typeof contractNoticeReceipt> => ({ uid, receivedAt: received_at, awaitsConfirmation });

/** Selects the earliest notice that already covers this one: same contract, same or earlier day. */
function selectSimilar(db: Database, { kind, email, reference, date }: Given, now: Date) {
  const similar = db
    .selectFrom("contract_notice")
    .selectAll()
    .where("kind", "=", kind)
    .where("email_key", "=", identifierKey(email))
    .where("received_at", ">", new Date(now.getTime() - REPEATS_MS).toISOString())
    .orderBy("received_at")
    .orderBy("uid")
    .limit(1);
  const ofContract = reference ? similar.where("reference", "=", reference) : similar;
  if (kind === "withdrawal") return ofContract;
  const day = date ?? dayOf(now);
  return ofContract.where((e) => e.or([e("wished_date", "is", null), e("wished_date", "<=", day)]));
}
