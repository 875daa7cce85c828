import type { NewDeskMessage } from "../../../app/contract/desk";
import { ANSWERED, isActive, type TicketStatus } from "../../../app/contract/ticket-status";
import type { Tables } from "../database/tables";
import { appendMessage, type Appended } from "../support/append-message";
import { checkConsent } from "../support/consent";
import { sendAnswer } from "../support/letters";
import { findRepeated, idempotencyOf } from "../support/idempotency";
import { checkOpen } from "../support/statuses";
import { lockTicket } from "../support/ticket";
import { inTransaction } from "../database/transaction";
import type { SupportContext } from "../support/context";
import type { Coach } from "./coaches";
import { checkVersion } from "./version";

/**
 * Appends a coach's answer, which is mailed to the person, or an internal note; once per
 * idempotency key.
 * @throws Refusal 404; 409 when the ticket has changed or is closed, its consent was taken back (coaches no
 *   longer read it, their notes included), or the key was used for another message
 */
export async function answerTicket(
  context: SupportContext,
  coach: Coach,
  { uid, key, ...given }: NewDeskMessage & { uid: string; key: string | undefined },
): Promise<Appended> {
  const { message: content, internal = false } = given;
  const idempotency = idempotencyOf(key, coach.uid, [content, internal, given.status ?? null]);
  return inTransaction(context, async (within) => {
    const { db, clock } = within;
    const ticket = await lockTicket(db, uid);
    const known = await findRepeated(db, uid, idempotency);
    if (known) return { ticket, message: known };
    // Taking the consent back closes the ticket, and so changes its version: the reason comes first.
    await checkConsent(db, ticket.account_uid);
    if (given.version !== undefined) checkVersion(ticket, given.version);
    const appended = await appendMessage(db, ticket, clock.now(), {
      author: "coach",
      contact: coach,
      content,
      internal,
      idempotency: idempotency,
      status: internal ? (given.status ?? ticket.status) : statusAfterAnswer(ticket, given.status),
    });
    if (!internal) await sendAnswer(within, appended.ticket, appended.message);
    return appended;
  });
}

/** The status after an answer. A closed or locked ticket can only be answered by reopening it. */
function statusAfterAnswer(ticket: Tables["ticket"], wanted: TicketStatus | undefined) {
  const reopens = !isActive(ticket.status) && wanted !== undefined && isActive(wanted);
  if (!reopens) checkOpen(ticket);
  return wanted ?? ANSWERED;
}
