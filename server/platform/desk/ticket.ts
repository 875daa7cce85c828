import type { DeskMessage, DeskTicket } from "../../../app/contract/desk";
import type { Database, Tables } from "../database/tables";
import { findTakenBack } from "../support/consent";
import { messageOf, ticketOf } from "../support/ticket";
import { listCoaches, type Coach } from "./coaches";

type Row = Tables["ticket"];
type MessageRow = Tables["ticket_message"];

/** Builds the tickets that coaches see, of rows that are open to them. */
export async function readDeskTickets(db: Database, rows: readonly Row[]): Promise<DeskTicket[]> {
  const coaches = rows.some(({ assignee_uid }) => assignee_uid) ? await listCoaches(db) : [];
  return rows.map((row) => deskTicketOf(row, coaches));
}

/** Builds a ticket as coaches see it: without its texts while its person's consent is taken back. */
export async function readDeskTicket(db: Database, row: Row): Promise<DeskTicket> {
  const coaches = row.assignee_uid ? await listCoaches(db) : [];
  const ticket = deskTicketOf(row, coaches);
  const isTakenBack = (await findTakenBack(db, row.account_uid)) !== null;
  return isTakenBack ? { ...ticket, title: "", excerpt: "" } : ticket;
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
