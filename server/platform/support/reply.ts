import type { Tables } from "../database/tables";
import { notFound } from "../http/refusal";
import { limit } from "../limits/limit";
import { MESSAGES } from "../limits/rules";
import { isOwn, type Person } from "./access";
import { append } from "./append";
import { findRepeated, onceOf } from "./once";
import { afterPerson, checkOpen } from "./statuses";
import { lockTicket } from "./ticket";
import { inTransaction } from "../database/transaction";
import type { SupportContext } from "./context";

type MessageRow = Tables["ticket_message"];

/**
 * A person writes on in a thread of theirs, once for a key.
 * @throws Refusal 404 for another's, 409 for one that is closed or a key used otherwise, 429
 */
export async function reply(
  context: SupportContext,
  person: Person,
  { uid, content, key }: { uid: string; content: string; key: string | undefined },
): Promise<MessageRow> {
  return inTransaction(context, async ({ db, clock }) => {
    const ticket = await lockTicket(db, uid);
    if (!isOwn(ticket, person)) throw notFound();
    const contact = contactIn(ticket);
    const once = onceOf(key, contact.uid, [content]);
    const known = await findRepeated(db, uid, once);
    if (known) return known;
    checkOpen(ticket);
    await limit(db, clock, MESSAGES, writerOf(ticket));
    const status = afterPerson(ticket.status);
    const writing = { author: "person", contact, content, status, once } as const;
    return (await append(db, ticket, clock.now(), writing)).message;
  });
}

/** The person of a contact ticket has no account: the ticket names them. */
export const contactIn = ({ uid, name, account_uid }: Tables["ticket"]) => ({
  uid: account_uid ?? uid,
  name,
});

/** Whose messages are counted together. */
export const writerOf = ({ type, account_uid, email_key }: Tables["ticket"]) =>
  `${type}:${account_uid ?? email_key}`;
