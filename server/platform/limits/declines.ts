import type { Database } from "../database/tables";
import type { Clock } from "../ports/clock";
import { restoreEvent, uncountEvent, limit, suspendEvent } from "./limit";
import { CARD_DECLINES, CARD_DECLINES_OF_ACCOUNT } from "./rules";
import { subjectOf } from "../../../app/contract/client-address";

/**
 * Counts a card payment as refused until the bank decides: for the visitor's address, and for the paying
 * account from any address. A retry of the same payment is the same attempt.
 * @throws Refusal 429
 */
export async function countCardAttempt(
  db: Database,
  clock: Clock,
  { paymentUid, from }: { paymentUid: string; from: string | null },
): Promise<void> {
  if (!db.isTransaction) {
    const within = { paymentUid, from };
    return db.transaction().execute((transaction) => countCardAttempt(transaction, clock, within));
  }
  await limit(db, clock, CARD_DECLINES, subjectOf(from), paymentUid);
  const payer = await db
    .selectFrom("payment")
    .select("account_uid")
    .where("uid", "=", paymentUid)
    .executeTakeFirst();
  if (!payer) return;
  await limit(db, clock, CARD_DECLINES_OF_ACCOUNT, payer.account_uid, accountEvent(paymentUid));
}

/** Suspends the attempt while the bank has not decided. */
export async function suspendCardAttempt(db: Database, paymentUid: string) {
  await suspendEvent(db, CARD_DECLINES, paymentUid);
  await suspendEvent(db, CARD_DECLINES_OF_ACCOUNT, accountEvent(paymentUid));
}

/** Counts a suspended attempt after the bank refused the card. */
export async function restoreCardAttempt(db: Database, paymentUid: string) {
  await restoreEvent(db, CARD_DECLINES, paymentUid);
  await restoreEvent(db, CARD_DECLINES_OF_ACCOUNT, accountEvent(paymentUid));
}

/** Uncounts the attempt after the bank accepted the card. */
export const uncountCardAttempt = (db: Database, paymentUid: string) =>
  uncountEvent(db, paymentUid, accountEvent(paymentUid));

/** An attempt is one event per rule, so the second event needs its own uid. */
const accountEvent = (paymentUid: string) => `${paymentUid}.account`;
