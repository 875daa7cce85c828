import type { Database } from "../database/tables";
import { updateCounts } from "./counts";

/** Rows deleted in one statement. */
const BATCH = 500;

/**
 * Deletes the discussions of an account, in the transaction that erases it. Contact tickets stay: they
 * belong to the owner of the mailbox, which an account does not prove.
 */
export async function eraseDiscussions(db: Database, accountUid: string) {
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

/** Deletes tickets with their messages, search words and counts. */
export async function deleteTickets(transaction: Database, uids: readonly string[]) {
  for (let start = 0; start < uids.length; start += BATCH) {
    const some = uids.slice(start, start + BATCH);
    const gone = await transaction
      .deleteFrom("ticket")
      .where("uid", "in", some)
      .returning(["type", "status"])
      .execute();
    await transaction.deleteFrom("ticket_message").where("ticket_uid", "in", some).execute();
    await transaction.deleteFrom("ticket_word").where("ticket_uid", "in", some).execute();
    const ordered = gone.sort((a, b) => (a.status < b.status ? -1 : 1));
    for (const one of ordered) await updateCounts(transaction, one, null);
  }
}
