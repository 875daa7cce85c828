import type { TicketStatus } from "../../../app/contract/ticket-status";
import type { Database, Tables } from "../database/tables";
import { newUid } from "../ports/ids";
import { updateCounts } from "./counts";
import { excerptOf } from "./excerpt";
import { statusColumns } from "./statuses";
import { indexWords } from "./word-index";

type Row = Tables["ticket"];
type MessageRow = Tables["ticket_message"];

/** What was cut from a reply by mail. `isShort`: it is the beginning of it. */
export type Trimmed = { text: string; isShort: boolean };

/** A message to append; `status` is the status of the ticket afterwards. */
export type NewMessageRow = {
  author: MessageRow["author"];
  contact: { uid: string; name: string };
  content: string;
  status: TicketStatus;
  internal?: boolean;
  idempotency?: { key: string; digest: string } | undefined;
  mailMessageId?: string;
  trimmed?: Trimmed | null;
  /** Contact only: the account that is signed in. */
  postedBy?: string | null;
};

export type Appended = { ticket: Row; message: MessageRow };

/**
 * Appends a message to a ticket that the caller has locked. The row of the ticket assigns the number, so
 * that concurrent messages get different ones.
 */
export async function appendMessage(
  db: Database,
  before: Row,
  now: Date,
  writing: NewMessageRow,
): Promise<Appended> {
  const at = now.toISOString();
  const ticket = await db
    .updateTable("ticket")
    .set(ticketColumns(before, at, writing))
    .where("uid", "=", before.uid)
    .returningAll()
    .executeTakeFirstOrThrow();
  const message = await insertMessage(db, ticket, at, writing);
  await indexWords(db, ticket.uid, writing.content);
  await updateCounts(db, before, ticket);
  return { ticket, message };
}

function ticketColumns(
  before: Row,
  at: string,
  { status, content, author, internal }: NewMessageRow,
) {
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
    ...(author === "coach" && {
      last_coach_seq: seq,
      // An answer by a release that did not keep the moment leaves it unknown.
      first_answered_at: before.last_coach_seq > 0 ? before.first_answered_at : at,
    }),
  };
}

async function insertMessage(
  db: Database,
  { uid, last_seq }: Row,
  at: string,
  writing: NewMessageRow,
) {
  const {
    author,
    contact,
    content,
    internal = false,
    idempotency: idempotency,
    mailMessageId,
    trimmed = null,
    postedBy = null,
  } = writing;
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
      key: idempotency?.key ?? null,
      digest: idempotency?.digest ?? null,
      mail_message_id: mailMessageId ?? null,
      trimmed: trimmed?.text ?? null,
      trimmed_short: trimmed?.isShort ? 1 : null,
      posted_by: postedBy,
      created_at: at,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}
