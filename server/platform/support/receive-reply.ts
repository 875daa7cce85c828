import { newMessage } from "../../../app/contract/support";
import { identifierKey } from "../accounts/identifier";
import type { Database, Tables } from "../database/tables";
import { Refusal } from "../http/refusal";
import { limit } from "../limits/limit";
import { MESSAGES } from "../limits/rules";
import { mayWrite } from "./access";
import { appendMessage } from "./append-message";
import { findTakenBack } from "./consent";
import { contactIn, limitDay, personSubject } from "./reply";
import { statusAfterPerson } from "./statuses";
import { isActive } from "../../../app/contract/ticket-status";
import { lockTicket } from "./ticket";
import { inTransaction } from "../database/transaction";
import type { SupportContext } from "./context";

type Row = Tables["ticket"];

/** A reply by mail to a ticket; `text` is without quotations. */
export type MailedReply = { ticketUid: string; from: string; text: string; messageId: string };

export type ReplyOutcome =
  | { outcome: "received" | "repeated"; messageUid: string }
  | {
      outcome:
        | "unknown ticket"
        | "wrong sender"
        | "closed"
        | "not subscribed"
        | "not a message"
        | "too many";
    };

/**
 * Appends a reply by mail, once per Message-ID, and only from the address of the ticket's person.
 */
export async function receiveReply(
  context: SupportContext,
  mail: MailedReply,
): Promise<ReplyOutcome> {
  try {
    return await inTransaction(context, (within) => appendReply(within, mail));
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) return { outcome: "unknown ticket" };
    if (error instanceof Refusal && error.status === 429) return { outcome: "too many" };
    throw error;
  }
}

async function appendReply(context: SupportContext, mail: MailedReply): Promise<ReplyOutcome> {
  const { db, clock } = context;
  const ticket = await lockTicket(db, mail.ticketUid);
  if (identifierKey(mail.from) !== ticket.email_key) return { outcome: "wrong sender" };
  const known = await findByMail(db, ticket, mail.messageId);
  if (known) return { outcome: "repeated", messageUid: known.uid };
  if (!isActive(ticket.status)) return { outcome: "closed" };
  if (await findTakenBack(db, ticket.account_uid)) return { outcome: "closed" };
  if (!(await mayWrite({ db, clock }, ticket))) return { outcome: "not subscribed" };
  const text = newMessage.safeParse({ message: mail.text });
  if (!text.success) return { outcome: "not a message" };
  await limit(db, clock, MESSAGES, personSubject(context, ticket));
  await limitDay(context, ticket, null);
  const { message } = await appendMessage(db, ticket, clock.now(), {
    author: "person",
    contact: contactIn(ticket),
    content: text.data.message,
    status: statusAfterPerson(ticket.status),
    mailMessageId: mailKeyOf(ticket, mail.messageId),
  });
  return { outcome: "received", messageUid: message.uid };
}

async function findByMail(db: Database, ticket: Row, messageId: string) {
  return db
    .selectFrom("ticket_message")
    .select("uid")
    .where("mail_message_id", "=", mailKeyOf(ticket, messageId))
    .executeTakeFirst();
}

/** One mail to two tickets is a message in each, so the ticket is part of the identifier. */
const mailKeyOf = ({ uid }: Row, messageId: string) => `${uid} ${messageId.trim()}`;
