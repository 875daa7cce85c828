import type { Database } from "../database/tables";
import { invalid } from "../http/refusal";
import type { Person } from "./access";
import { findOwnTicket } from "./store";

/**
 * Marks the thread as read by its person, up to a message or to the end.
 * @throws Refusal 404, 400 for a message of another thread
 */
export async function markRead(db: Database, person: Person, uid: string, until?: string) {
  const ticket = await findOwnTicket(db, person, uid);
  const seq = until === undefined ? ticket.last_seq : await seqOf(db, uid, until);
  await db
    .updateTable("ticket")
    .set({ person_read_seq: seq })
    .where("uid", "=", uid)
    .where("person_read_seq", "<", seq)
    .execute();
}

async function seqOf(db: Database, ticketUid: string, uid: string): Promise<number> {
  const message = await db
    .selectFrom("ticket_message")
    .select("seq")
    .where("ticket_uid", "=", ticketUid)
    .where("uid", "=", uid)
    .where("internal", "=", 0)
    .executeTakeFirst();
  if (!message) throw invalid("until", "No message of this thread");
  return message.seq;
}
