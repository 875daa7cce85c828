import type { Database } from "../database/tables";
import type { Clock } from "../ports/clock";
import { countAgain, forgetEvent, limit, setEventAside } from "./limit";
import { CARD_DECLINES, CARD_DECLINES_OF_ACCOUNT } from "./rules";
import { subjectOf } from "../../../app/contract/client-address";

/**
 * Counts an attempt to pay by card as refused until the bank decides: for the address it comes from
 * and for the account that pays, whatever addresses it comes from. The same payment again
 * is the same attempt.
 * @throws Refusal 429
 */
export async function countCard(
  db: Database,
  clock: Clock,
  { paymentUid, from }: { paymentUid: string; from: string | null },
): Promise<void> {
  if (!db.isTransaction) {
    const within = { paymentUid, from };
    return db.transaction().execute((transaction) => countCard(transaction, clock, within));
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

/** The bank has not decided yet. */
export async function setCardAside(db: Database, paymentUid: string) {
  await setEventAside(db, CARD_DECLINES, paymentUid);
  await setEventAside(db, CARD_DECLINES_OF_ACCOUNT, accountEvent(paymentUid));
}

/** The bank refused a card that was set aside. */
export async function countCardAgain(db: Database, paymentUid: string) {
  await countAgain(db, CARD_DECLINES, paymentUid);
  await countAgain(db, CARD_DECLINES_OF_ACCOUNT, accountEvent(paymentUid));
}

/** The bank took the card. */
export const forgetCard = (db: Database, paymentUid: string) =>
  forgetEvent(db, paymentUid, accountEvent(paymentUid));

/** One attempt is an event of each rule: their uids differ. */
const accountEvent = (paymentUid: string) => `${paymentUid}.account`;
