import type { Database } from "../database/tables";
import { wordsOf } from "./words";

/** Adds the words of texts to the search index, in the transaction that writes the texts. */
export async function indexWords(db: Database, ticketUid: string, ...texts: string[]) {
  const words = wordsOf(...texts);
  if (words.length === 0) return;
  await db
    .insertInto("ticket_word")
    .values(words.map((word) => ({ word, ticket_uid: ticketUid })))
    .onConflict((conflict) => conflict.columns(["word", "ticket_uid"]).doNothing())
    .execute();
}
