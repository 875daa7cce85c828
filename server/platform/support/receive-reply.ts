import { newMessage } from "../../../app/contract/support";
import { identifierKey } from "../accounts/identifier";
import type { Database, Tables } from "../database/tables";
import { Refusal } from "../http/refusal";
import { limit } from "../limits/limit";
import { MESSAGES } from "../limits/rules";
import { mayWrite } from "./access";
import { appendMessage, type Trimmed } from "./append-message";
import { findTakenBack } from "./consent";
import { contactIn, limitDay, personSubject } from "./reply";
import { statusAfterPerson } from "./statuses";
import { isActive } from "../../../app/contract/ticket-status";
import { lockTicket } from "./ticket";
import { inTransaction } from "../database/transaction";
import type { SupportContext } from "./context";

type Row = Tables["ticket"];

/** A reply by mail to a ticket; `text` is the sender's own, and `trimmed` what was cut from it. */
export type MailedReply = {
  ticketUid: string;
  from: string;
  text: string;
  trimmed?: Trimmed | null | undefined;
  messageId: string;
};

export type ReplyOutcome =
  | { outcome: "received" | "repeated"; messageUid: string }
  | {
      outcome:
        | "unknown ticket"
        | "wrong sender"
        | "name in use"
        | "closed"
        | "not subscribed"
        | "not a message"
        | "too many";
    };

/**
 * Appends a reply by mail, once per Message-ID, and only from the address of the ticket's person. A mail that says
 * something else under a known Message-ID is not stored.
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
  if (known)
    return isSame(known, mail)
      ? { outcome: "repeated", messageUid: known.uid }
      : { outcome: "name in use" };
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
    trimmed: mail.trimmed ?? null,
  });
  return { outcome: "received", messageUid: message.uid };
}

async function findByMail(db: Database, ticket: Row, messageId: string) {
  return db
    .selectFrom("ticket_message")
    .select(["uid", "content", "trimmed"])
    .where("mail_message_id", "=", mailKeyOf(ticket, messageId))
    .executeTakeFirst();
}

type Stored = { content: string; trimmed: string | null };

/** A mail that comes twice may have been wrapped anew on its way. */
const isSame = (stored: Stored, { text, trimmed }: MailedReply) =>
  lettersOf(stored.content) === lettersOf(text) &&
  lettersOf(stored.trimmed ?? "") === lettersOf(trimmed?.text ?? "");

const lettersOf = (text: string) => text.replace(/\s+/g, "");

/** One mail to two tickets is a message in each, so the ticket is part of the identifier. */
const mailKeyOf = ({ uid }: Row, messageId: string) => `${uid} ${messageId.trim()}`;
