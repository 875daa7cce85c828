import type { NewDeskMessage } from "../../../app/contract/desk";
import { ANSWERED, isActive, type TicketStatus } from "../../../app/contract/ticket-status";
import type { Tables } from "../database/tables";
import { append, type Appended } from "../support/append";
import { sendAnswer } from "../support/letters";
import { findRepeated, onceOf } from "../support/once";
import { checkOpen } from "../support/statuses";
import { lockTicket } from "../support/ticket";
import { inTransaction } from "../database/transaction";
import type { SupportContext } from "../support/context";
import type { Coach } from "./coaches";
import { checkVersion } from "./version";

/**
 * A coach answers, which the person is told by mail, or leaves a note, which nobody outside the desk
 * learns of; once for a key.
 * @throws Refusal 404; 409 when the ticket changed meanwhile, is closed, or the key was used otherwise
 */
export async function answer(
  context: SupportContext,
  coach: Coach,
  { uid, key, ...given }: NewDeskMessage & { uid: string; key: string | undefined },
): Promise<Appended> {
  const { message: content, internal = false } = given;
  const once = onceOf(key, coach.uid, [content, internal, given.status ?? null]);
  return inTransaction(context, async (within) => {
    const { db, clock } = within;
    const ticket = await lockTicket(db, uid);
    const known = await findRepeated(db, uid, once);
    if (known) return { ticket, message: known };
    if (given.version !== undefined) checkVersion(ticket, given.version);
    const appended = await append(db, ticket, clock.now(), {
      author: "coach",
      contact: coach,
      content,
      internal,
      once,
      status: internal ? (given.status ?? ticket.status) : afterAnswer(ticket, given.status),
    });
    if (!internal) await sendAnswer(within, appended.ticket, appended.message);
    return appended;
  });
}

/** What is closed or locked is answered only by who opens it again. */
function afterAnswer(ticket: Tables["ticket"], wanted: TicketStatus = ANSWERED) {
  const reopens = !isActive(ticket.status) && wanted !== ANSWERED && isActive(wanted);
  if (!reopens) checkOpen(ticket);
  return wanted;
}
