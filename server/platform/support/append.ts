import type { TicketStatus } from "../../../app/contract/ticket-status";
import type { Database, Tables } from "../database/tables";
import { newUid } from "../ports/ids";
import { recount } from "./counts";
import { excerptOf } from "./excerpt";
import { statusColumns } from "./statuses";
import { indexWords } from "./word-index";

type Row = Tables["ticket"];
type MessageRow = Tables["ticket_message"];

/** `status`: what the ticket is afterwards. */
export type Writing = {
  author: MessageRow["author"];
  contact: { uid: string; name: string };
  content: string;
  status: TicketStatus;
  internal?: boolean;
  once?: { key: string; digest: string } | undefined;
  mailMessageId?: string;
};

export type Appended = { ticket: Row; message: MessageRow };

/**
 * Puts a message at the end of a ticket that the caller has locked: its row gives the place in the
 * order, so that many who write at once stand one after the other, none lost and none twice.
 */
export async function append(
  db: Database,
  before: Row,
  now: Date,
  writing: Writing,
): Promise<Appended> {
  const at = now.toISOString();
  const ticket = await db
    .updateTable("ticket")
    .set(advance(before, at, writing))
    .where("uid", "=", before.uid)
    .returningAll()
    .executeTakeFirstOrThrow();
  const message = await insert(db, ticket, at, writing);
  await indexWords(db, ticket.uid, writing.content);
  await recount(db, before, ticket);
  return { ticket, message };
}

function advance(before: Row, at: string, { status, content, author, internal }: Writing) {
  const seq = before.last_seq + 1;
  const changed = {
    last_seq: seq,
    version: before.version + 1,
    ...statusColumns(status, before, at),
  };
  if (internal) return changed;
  return {
    ...changed,
    message_count: before.message_count + 1,
    last_at: at,
    excerpt: excerptOf(content),
    ...(author === "coach" && { last_coach_seq: seq }),
  };
}

async function insert(db: Database, { uid, last_seq }: Row, at: string, writing: Writing) {
  const { author, contact, content, internal = false, once, mailMessageId } = writing;
  return db
    .insertInto("ticket_message")
    .values({
      uid: newUid(),
      ticket_uid: uid,
      seq: last_seq,
      author,
      content,
      contact_uid: contact.uid,
      contact_name: contact.name,
      internal: internal ? 1 : 0,
      key: once?.key ?? null,
      digest: once?.digest ?? null,
      mail_message_id: mailMessageId ?? null,
      created_at: at,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}
