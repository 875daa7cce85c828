import type { Message, Thread, Ticket } from "../../../app/contract/support";
import type { Database, Tables } from "../database/tables";
import { notFound } from "../http/refusal";

type Row = Tables["ticket"];
type MessageRow = Tables["ticket_message"];

/** The ticket as its person sees it. */
export const ticketOf = (row: Row): Ticket => ({
  uid: row.uid,
  title: row.title,
  status: row.status,
  date: row.created_at,
  contact: { email: row.email, name: row.name },
  lastDateTime: row.last_at,
  unread: row.last_coach_seq > row.person_read_seq,
  messageCount: row.message_count,
});

/** What the person of a discussion told of their birth; nothing of a ticket without it. */
export const birthOf = ({ birth }: Row): Pick<Thread, "birth"> => (birth === null ? {} : { birth });

export const messageOf = (row: MessageRow): Message => ({
  uid: row.uid,
  date: row.created_at,
  content: row.content,
  author: row.author,
  contact: { uid: row.contact_uid, name: row.contact_name },
  ...trimmedOf(row),
});

/** What was cut from a reply by mail; nothing of a message without it. */
export const trimmedOf = ({
  trimmed,
  trimmed_short,
}: MessageRow): Pick<Message, "trimmed" | "isTrimmedShort"> =>
  trimmed === null ? {} : { trimmed, ...(trimmed_short === 1 && { isTrimmedShort: true }) };

/** @throws Refusal 404 */
export async function findTicket(db: Database, uid: string): Promise<Row> {
  const row = await db.selectFrom("ticket").selectAll().where("uid", "=", uid).executeTakeFirst();
  if (!row) throw notFound();
  return row;
}

/**
 * Locks and reads a ticket. The update changes nothing, but takes the row lock on PostgreSQL.
 * SQLite runs writes one at a time anyway.
 * @throws Refusal 404
 */
export async function lockTicket(transaction: Database, uid: string): Promise<Row> {
  const row = await transaction
    .updateTable("ticket")
    .set((e) => ({ version: e.ref("version") }))
    .where("uid", "=", uid)
    .returningAll()
    .executeTakeFirst();
  if (!row) throw notFound();
  return row;
}
