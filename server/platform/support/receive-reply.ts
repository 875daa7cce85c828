import { newMessage } from "../../../app/contract/support";
import { identifierKey } from "../accounts/identifier";
import type { Database, Tables } from "../database/tables";
import { Refusal } from "../http/refusal";
import { limit } from "../limits/limit";
import { MESSAGES } from "../limits/rules";
import { append } from "./append";
import { contactIn, writerOf } from "./reply";
import { afterPerson } from "./statuses";
import { isActive } from "../../../app/contract/ticket-status";
import { lockTicket } from "./ticket";
import { inTransaction } from "../database/transaction";
import type { SupportContext } from "./context";

type Row = Tables["ticket"];

/** A mail that came back to the address of a ticket; its text without what it quotes. */
export type MailedReply = { ticketUid: string; from: string; text: string; messageId: string };

export type ReplyOutcome =
  | { outcome: "received" | "repeated"; messageUid: string }
  | { outcome: "unknown ticket" | "wrong sender" | "closed" | "not a message" | "too many" };

/**
 * Appends a reply by mail, once for its Message-ID however often it is delivered, and only from the
 * address of the ticket's person.
 */
export async function receiveReply(
  context: SupportContext,
  mail: MailedReply,
): Promise<ReplyOutcome> {
  try {
    return await inTransaction(context, (within) => receive(within, mail));
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) return { outcome: "unknown ticket" };
    if (error instanceof Refusal && error.status === 429) return { outcome: "too many" };
    throw error;
  }
}

async function receive({ db, clock }: SupportContext, mail: MailedReply): Promise<ReplyOutcome> {
  const ticket = await lockTicket(db, mail.ticketUid);
  if (identifierKey(mail.from) !== ticket.email_key) return { outcome: "wrong sender" };
  const known = await findByMail(db, ticket, mail.messageId);
  if (known) return { outcome: "repeated", messageUid: known.uid };
  if (!isActive(ticket.status)) return { outcome: "closed" };
  const text = newMessage.safeParse({ message: mail.text });
  if (!text.success) return { outcome: "not a message" };
  await limit(db, clock, MESSAGES, writerOf(ticket));
  const { message } = await append(db, ticket, clock.now(), {
    author: "person",
    contact: contactIn(ticket),
    content: text.data.message,
    status: afterPerson(ticket.status),
    mailMessageId: nameOf(ticket, mail.messageId),
  });
  return { outcome: "received", messageUid: message.uid };
}

async function findByMail(db: Database, ticket: Row, messageId: string) {
  return db
    .selectFrom("ticket_message")
    .select("uid")
    .where("mail_message_id", "=", nameOf(ticket, messageId))
    .executeTakeFirst();
}

/** One mail may go to two tickets: it is one message in each. */
const nameOf = ({ uid }: Row, messageId: string) => `${uid} ${messageId.trim()}`;
