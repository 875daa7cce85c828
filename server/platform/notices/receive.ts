import { HOUR_MS } from "../ports/durations";
import type { z } from "zod/v4";
import type { contractNotice, contractNoticeReceipt } from "../../../app/contract/notices";
import { identifierKey } from "../accounts/identifier";
import type { Database } from "../database/tables";
import { invalid } from "../http/refusal";
import { enqueue } from "../jobs/queue";
import { JobWaiting } from "../jobs/runner";
import { scheduleDailyPurge } from "../jobs/purges";
import { after } from "../ports/age";
import { newUid } from "../ports/ids";
import type { SubscriptionContext } from "../subscriptions/context";
import { PROCESS_NOTICE, processingKeyOf } from "../subscriptions/pending-notices";
import { dayOf, lastWishedDay } from "../../../app/contract/day";
import { findMailTime, isLinkMailPending } from "./mail-time";
import { NOTICE_SENDER } from "./sender";
import { findNotice, hadEffect, type Notice } from "./store";

export type Given = z.output<typeof contractNotice> & { kind: Notice["kind"] };

/** Time in which an equal notice of the same sender is a repetition: a double click, or a reload. */
const REPEATS_MS = HOUR_MS;

/** A notice that comes again so soon was sent twice by accident, and means no other contract. */
const TWICE_MS = 60_000;

/** After which a repetition looks again whether its first notice was processed. */
const AFTER_FIRST_MS = 1_000;

type Sent = Given & {
  origin: string;
  senderKey: string;
  networkKey: string | null;
  isSignedIn: boolean;
};

/**
 * Records a notice and chooses the receipt to answer with: a sender who repeats a notice word for word
 * within an hour gets the first receipt. Repetitions are found by the sender and the typed data, never
 * by a contract, so that the receipt does not tell whether there is one.
 * @throws Refusal 400 for a date in the past or too far ahead
 */
export async function recordNotice({ db, clock }: SubscriptionContext, sent: Sent) {
  const now = clock.now();
  // A withdrawal counts when it is received: the day of one is what an operator enters.
  const date = sent.kind === "cancellation" ? sent.date : undefined;
  const given = { ...sent, reference: sent.reference?.trim(), date };
  if (given.date) {
    if (given.date < dayOf(now)) throw invalid("date", "The date is past");
    if (given.date > lastWishedDay(now)) throw invalid("date", "The date is too far ahead");
  }
  const first = await findSame(db, given, now);
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
      network_key: given.networkKey,
      repeats_uid: first?.uid ?? null,
      signed_in: given.isSignedIn ? 1 : 0,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  if (given.networkKey !== null) await scheduleDailyPurge(db, after(now, NOTICE_SENDER));
  return { notice, answered: first ?? notice };
}

/**
 * Enqueues the job that looks up the contract, so that response and time do not tell whether there
 * is one.
 */
export async function enqueueProcessing(
  { db, clock }: Pick<SubscriptionContext, "db" | "clock">,
  { uid }: Notice,
) {
  const payload = { noticeUid: uid };
  await enqueue(db, {
    kind: PROCESS_NOTICE,
    key: processingKeyOf(uid),
    payload,
    runAt: clock.now(),
  });
}

export const receiptOf = (
  { site }: Pick<SubscriptionContext, "site">,
  { uid, received_at }: Notice,
  { awaitsConfirmation, isRepeat }: { awaitsConfirmation: boolean; isRepeat: boolean },
): z.input<typeof contractNoticeReceipt> => ({
  uid,
  receivedAt: received_at,
  awaitsConfirmation,
  seller: site.imprint,
  ...(isRepeat && { isRepeat }),
});

/**
 * Finds the earlier, identical notice that already has this effect: it is open and its mail with the link is on
 * the way, or it came less than a moment before. Any other notice counts on its own.
 * @param principalUid of the signed-in person, who is answered at once
 * @throws JobWaiting while the predecessor is not processed
 */
export async function findCovering(
  context: SubscriptionContext,
  { repeats_uid, received_at }: Notice,
  principalUid: string | null,
): Promise<Notice | undefined> {
  if (!repeats_uid) return undefined;
  const { db, clock } = context;
  const now = clock.now();
  if (principalUid === null && (await isWaiting(db, repeats_uid))) {
    const soon = new Date(now.getTime() + AFTER_FIRST_MS);
    throw new JobWaiting("The same notice that came before is not processed yet", soon);
  }
  // Read after the check: it may be processed by another job meanwhile.
  const first = await findNotice(db, repeats_uid);
  if (!first.subscription_uid || !hadEffect(first) || first.undone_at) return undefined;
  if (Date.parse(received_at) - Date.parse(first.received_at) < TWICE_MS) return first;
  const isSettled = first.settled_at !== null || first.undo_hash === null;
  const isOpen = !isSettled && (first.undo_until ?? "") > now.toISOString();
  return isOpen && (await isMailed(context, first, now)) ? first : undefined;
}

async function isWaiting(db: Database, uid: string): Promise<boolean> {
  const job = await db
    .selectFrom("job")
    .select("uid")
    .where("key", "=", processingKeyOf(uid))
    .where("done_at", "is", null)
    .executeTakeFirst();
  return job !== undefined;
}

/** Tells whether the mail went out, or is on its way without waiting for a slot. */
async function isMailed(context: SubscriptionContext, notice: Notice, now: Date) {
  if (notice.mailed_at !== null) return true;
  if (!(await isLinkMailPending(context, notice))) return false;
  const reserved = await findMailTime(context.db, notice);
  return reserved === undefined || reserved <= now;
}

/**
 * Finds the sender's newest notice that is the same word for word and no repetition itself. The words of
 * another sender are a declaration of their own: a stranger may have typed them first, and whoever
 * undoes the stranger's must not undo the owner's.
 */
function findSame(db: Database, sent: Sent, now: Date) {
  const { kind, name, email, reference, date, senderKey } = sent;
  return db
    .selectFrom("contract_notice")
    .selectAll()
    .where("kind", "=", kind)
    .where("name", "=", name)
    .where("email_key", "=", identifierKey(email))
    .where("reference", reference ? "=" : "is", reference || null)
    .where("wished_date", date ? "=" : "is", date ?? null)
    .where("sender_key", "=", senderKey)
    .where("repeats_uid", "is", null)
    .where("undone_at", "is", null)
    .where("received_at", ">", new Date(now.getTime() - REPEATS_MS).toISOString())
    .orderBy("received_at", "desc")
    .orderBy("uid", "desc")
    .executeTakeFirst();
}
