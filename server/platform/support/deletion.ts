import { slicesOf } from "../database/slices";
import type { Database } from "../database/tables";
import { updateCountsOf } from "./counts";

/**
 * Deletes the discussions of an account with the consents that they were held on, in the transaction that
 * erases it. Contact tickets stay until their own end, without the account that posted them: they belong to
 * the owner of the mailbox, which an account does not prove.
 */
export async function eraseDiscussions(db: Database, accountUid: string) {
  await deleteDiscussions(db, accountUid);
  await db.deleteFrom("sensitive_consent").where("account_uid", "=", accountUid).execute();
  await db
    .updateTable("ticket_message")
    .set({ posted_by: null })
    .where("posted_by", "=", accountUid)
    .execute();
}

/** Deletes the discussions of an account. */
export async function deleteDiscussions(db: Database, accountUid: string) {
  const own = await db
    .selectFrom("ticket")
    .select("uid")
    .where("account_uid", "=", accountUid)
    .execute();
  await deleteTickets(
    db,
    own.map(({ uid }) => uid),
  );
}

/**
 * Erases a contact request, as its person has asked for. Mails about it keep no text once they are sent.
 * @returns undefined when there is no contact request of this uid
 */
export async function eraseContactRequest(
  db: Database,
  uid: string,
): Promise<{ messages: number } | undefined> {
  return db.transaction().execute(async (transaction) => {
    const ticket = await transaction
      .selectFrom("ticket")
      .select("last_seq")
      .where("uid", "=", uid)
      .where("type", "=", "contact")
      .executeTakeFirst();
    if (!ticket) return undefined;
    await deleteTickets(transaction, [uid]);
    return { messages: ticket.last_seq };
  });
}

/** Deletes tickets with their messages, search words and counts. */
export async function deleteTickets(transaction: Database, uids: readonly string[]) {
  for (const some of slicesOf(uids)) {
    const gone = await transaction
      .deleteFrom("ticket")
      .where("uid", "in", some)
      .returning(["type", "status"])
      .execute();
    await transaction.deleteFrom("ticket_message").where("ticket_uid", "in", some).execute();
    await transaction.deleteFrom("ticket_word").where("ticket_uid", "in", some).execute();
    await updateCountsOf(
      transaction,
      gone.map((from) => ({ from, to: null })),
    );
  }
}
