import type { Database } from "../database/tables";
import type { Letter, NamedNotices, Notice as Facts, Site } from "../mail/letters";
import { deleteUnsentMails } from "../mail/outbox";
import { readWithdrawnCredit } from "../subscriptions/credit-prospects";
import type { SubscriptionRow } from "../database/subscription-row";
import { linkMailKey } from "../subscriptions/pending-notices";
import { withdrawFromContract } from "../subscriptions/withdrawal";
import type { FoundContract } from "./contract";
import { mailChange, mailOutcome, replaceUnsentLinks } from "./letters";
import { readNamed, updateNotice, type Notice } from "./store";
import type { SubscriptionContext } from "../subscriptions/context";

/**
 * Completes the withdrawal, and with it all other open withdrawals of the contract. The mail about it
 * names them; those whose own mail has not gone out still get their receipt.
 */
export async function completeWithdrawal(
  context: SubscriptionContext,
  notice: Notice,
  found: FoundContract,
  { isConfirmed }: { isConfirmed: boolean },
) {
  const { subscription } = found;
  const now = context.clock.now();
  // Those too whose limit is over: after a standstill none of their mails may have gone out.
  const others = await selectUnsettled(context.db, subscription.uid)
    .selectAll()
    .where("uid", "!=", notice.uid)
    .where("undo_hash", "is not", null)
    .orderBy("received_at")
    .orderBy("uid")
    .execute();
  const credit = await readWithdrawnCredit(context.db, subscription);
  const refunded = await withdrawFromContract(context, subscription);
  const settled = await findSettledWith(context, notice, subscription);
  await settleWithdrawals(context, notice, subscription, now);
  await deleteUnsentMails(context.db, [linkMailKey(notice)]);
  await replaceUnsentLinks(context, others, found, (site, facts) => ({
    kind: "withdrawal-without-effect",
    site,
    notice: facts,
    refunded,
    late: null,
  }));
  const compose = (site: Site, facts: Facts): Letter => ({
    kind: "withdrawal-receipt",
    site,
    notice: facts,
    settled,
    refunded,
    credit,
  });
  const mail = notice.undo_hash === null ? mailChange : mailOutcome;
  await updateNotice(context.db, notice.uid, {
    repeats_uid: null,
    ...(isConfirmed && { confirmed_at: now.toISOString() }),
  });
  await mail(context, notice, found, compose);
}

/**
 * Finds the other withdrawals that are settled with one: open ones, and those that they cover. The first
 * are named.
 */
async function findSettledWith(
  { db }: SubscriptionContext,
  { uid }: Notice,
  subscription: SubscriptionRow,
): Promise<NamedNotices> {
  return readNamed(selectUnsettled(db, subscription.uid).where("uid", "!=", uid));
}

async function settleWithdrawals(
  { db }: SubscriptionContext,
  { uid }: Notice,
  subscription: SubscriptionRow,
  now: Date,
) {
  const change = { settled_at: now.toISOString() };
  await updateNotice(db, uid, { subscription_uid: subscription.uid, ...change });
  const others = selectUnsettled(db, subscription.uid).select("uid");
  await db.updateTable("contract_notice").set(change).where("uid", "in", others).execute();
}

export const selectUnsettled = (db: Database, subscriptionUid: string) =>
  db
    .selectFrom("contract_notice")
    .where("subscription_uid", "=", subscriptionUid)
    .where("kind", "=", "withdrawal")
    .where("undone_at", "is", null)
    .where("settled_at", "is", null);
