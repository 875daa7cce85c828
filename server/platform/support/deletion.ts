import type { Database } from "../database/tables";
import { recount } from "./counts";

/** At a time, in one statement. */
const BATCH = 500;

/**
 * Discussions go with the account, in the transaction that makes nobody of it. Contact tickets stay:
 * they belong to who reads the letter box, and nobody proved that the account's owner does.
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

/** With their messages, words and places in the counts. */
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
    for (const one of ordered) await recount(transaction, one, null);
  }
}
