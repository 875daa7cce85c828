import { sql } from "kysely";
import { lockAccount } from "../database/account-lock";
import type { Database } from "../database/tables";
import { inTransaction } from "../database/transaction";
import { cardColumns, NO_CARD } from "../money/card";
import { UNSETTLED, type Payment } from "../money/payments";
import type { PaidOutcome, RemovedCard } from "../ports/payment-gateway";
import { scheduleCardNotice } from "./schedule";
import type { SubscriptionContext } from "./context";

/**
 * Clears a card that was removed at the provider; due periods are then paid on a page. Also of a contract
 * that has ended: its money may come back, or its stop be undone. A payment that is undecided meanwhile brings
 * the card back no more.
 */
export async function clearRemovedCard(context: SubscriptionContext, removed: RemovedCard) {
  await inTransaction(context, async (context) => {
    const { db, log } = context;
    if (removed.payer !== null) {
      // A payment of the account is settled before this, and its contract is read here, or after it.
      await lockAccount(db, removed.payer);
      await noteAtUndecided(db, removed.payer, removed.cardReference);
    }
    const charged = db
      .updateTable("subscription")
      .set(NO_CARD)
      .where("card_reference", "is not", null);
    const cleared = await (
      removed.cardReference === null
        ? charged.where("account_uid", "=", removed.payer)
        : charged.where("card_reference", "=", removed.cardReference)
    )
      .returningAll()
      .execute();
    for (const subscription of cleared) {
      const { uid, ended_at } = subscription;
      if (ended_at !== null) continue;
      await scheduleCardNotice(context, subscription);
      log.warn({ subscription: uid }, "the card of a subscription was removed at the provider");
    }
  });
}

/** Stands for every card of the payer, in a list of references, which contain no spaces. */
const ALL_CARDS = "all";

async function noteAtUndecided(db: Database, payer: string, cardReference: string | null) {
  const removed_cards = sql<string>`coalesce(removed_cards || ' ', '') || ${cardReference ?? ALL_CARDS}`;
  await db
    .updateTable("payment")
    .set({ removed_cards })
    .where("account_uid", "=", payer)
    .where("status", "in", UNSETTLED)
    .execute();
}

/**
 * Columns of a subscription for the card that paid, which is charged next. None where it was removed before
 * the payment was settled, as events come out of order, and a bank may decide days later.
 */
export function usableCard(
  { log }: SubscriptionContext,
  { uid, removed_cards }: Payment,
  paid: PaidOutcome,
) {
  const removed = removed_cards?.split(" ") ?? [];
  if (!removed.includes(ALL_CARDS) && !removed.includes(paid.cardReference)) {
    return cardColumns(paid);
  }
  log.warn({ payment: uid }, "the card of a payment was removed at the provider");
  return NO_CARD;
}
