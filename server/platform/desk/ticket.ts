import type { DeskMessage, DeskTicket } from "../../../app/contract/desk";
import type { Database, Tables } from "../database/tables";
import { messageOf, ticketOf } from "../support/ticket";
import { listCoaches, type Coach } from "./coaches";

type Row = Tables["ticket"];
type MessageRow = Tables["ticket_message"];

/** Builds the tickets that coaches see. */
export async function readDeskTickets(db: Database, rows: readonly Row[]): Promise<DeskTicket[]> {
  const coaches = rows.some(({ assignee_uid }) => assignee_uid) ? await listCoaches(db) : [];
  return rows.map((row) => deskTicketOf(row, coaches));
}

export async function readDeskTicket(db: Database, row: Row): Promise<DeskTicket> {
  const coaches = row.assignee_uid ? await listCoaches(db) : [];
  return deskTicketOf(row, coaches);
}

function deskTicketOf(row: Row, coaches: readonly Coach[]): DeskTicket {
  const { contact: _, ...ticket } = ticketOf(row);
  return {
    ...ticket,
    type: row.type,
    lastDateTime: row.last_at,
    messageCount: row.message_count,
    unread: row.last_coach_seq > row.person_read_seq,
    person: { name: row.name, email: row.email },
    excerpt: row.excerpt,
    assignee: coaches.find(({ uid }) => uid === row.assignee_uid) ?? null,
    waitingSince: row.waiting_since,
    version: row.version,
  };
}

export const deskMessageOf = (row: MessageRow): DeskMessage => ({
  ...messageOf(row),
  author: row.author,
  internal: row.internal === 1,
});
