import type { Tables } from "../database/tables";
import { notFound } from "../http/refusal";
import { limit } from "../limits/limit";
import { MESSAGES, MESSAGES_OF_DAY } from "../limits/rules";
import { isOwner, type Person } from "./access";
import { appendMessage } from "./append-message";
import { stillActive } from "./author";
import { checkConsent } from "./consent";
import { mailboxSubject } from "./contact-link";
import { findRepeated, idempotencyOf } from "./idempotency";
import { statusAfterPerson, checkOpen } from "./statuses";
import { lockTicket } from "./ticket";
import { inTransaction } from "../database/transaction";
import type { SupportContext } from "./context";

type MessageRow = Tables["ticket_message"];

type Writing = {
  uid: string;
  content: string;
  key: string | undefined;
  /** The account that is signed in; a mailed link needs none. */
  principalUid: string | null;
};

/**
 * Appends a message of the ticket's person, once per idempotency key.
 * @throws Refusal 404 for another person's ticket, 409 when it is closed, its consent was taken back, or the
 *   key was used for another message; 429
 */
export async function replyToTicket(
  context: SupportContext,
  person: Person,
  { uid, content, key, principalUid }: Writing,
): Promise<MessageRow> {
  return inTransaction(context, async (within) => {
    const { db, clock } = within;
    const postedBy = person.type === "contact" ? await stillActive(db, principalUid) : null;
    const ticket = await lockTicket(db, uid);
    if (!isOwner(ticket, person)) throw notFound();
    const contact = contactIn(ticket);
    const idempotency = idempotencyOf(key, contact.uid, [content]);
    const known = await findRepeated(db, uid, idempotency);
    if (known) return known;
    checkOpen(ticket);
    await checkConsent(db, ticket.account_uid);
    await limit(db, clock, MESSAGES, personSubject(within, ticket));
    await limitDay(within, ticket, postedBy);
    const status = statusAfterPerson(ticket.status);
    const writing = {
      author: "person",
      contact,
      content,
      status,
      idempotency: idempotency,
      postedBy,
    } as const;
    return (await appendMessage(db, ticket, clock.now(), writing)).message;
  });
}

/** The contact of a ticket; without an account the ticket's uid identifies the person. */
export const contactIn = ({ uid, name, account_uid }: Tables["ticket"]) => ({
  uid: account_uid ?? uid,
  name,
});

/**
 * Counts a message for the account that wrote it, or else for the mailbox of the link.
 * @throws Refusal 429
 */
export async function limitDay(
  context: Pick<SupportContext, "db" | "clock" | "subjects">,
  { account_uid, email_key }: Pick<Tables["ticket"], "account_uid" | "email_key">,
  postedBy: string | null,
) {
  const { db, clock } = context;
  const account = account_uid ?? postedBy;
  const subject = account ? `account:${account}` : `contact:${mailboxSubject(context, email_key)}`;
  await limit(db, clock, MESSAGES_OF_DAY, subject);
}

/** The subject for counting a person's messages. */
export const personSubject = (
  context: Pick<SupportContext, "subjects">,
  { type, account_uid, email_key }: Tables["ticket"],
) => `${type}:${account_uid ?? mailboxSubject(context, email_key)}`;
