import type { Database } from "../database/tables";
import { indexWords } from "./word-index";

/** Gives the discussions of an account its new e-mail, to which their letters go, and finds them by it. */
export async function moveDiscussions(
  transaction: Database,
  accountUid: string,
  contact: { email: string; email_key: string },
) {
  const moved = await transaction
    .updateTable("ticket")
    .set(contact)
    .where("account_uid", "=", accountUid)
    .where("type", "=", "coaching")
    .returning(["uid", "title", "name"])
    .execute();
  for (const { uid, title, name } of moved) {
    const messages = await transaction
      .selectFrom("ticket_message")
      .select("content")
      .where("ticket_uid", "=", uid)
      .execute();
    await transaction.deleteFrom("ticket_word").where("ticket_uid", "=", uid).execute();
    const contents = messages.map(({ content }) => content);
    await indexWords(transaction, uid, title, name, contact.email, ...contents);
  }
}
