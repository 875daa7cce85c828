import { MESSAGE_LENGTH } from "./limits";
import { z } from "zod/v4";
import { cursor, moment, pageLength, uid } from "./primitives";
import { contact, message, statusList, supportType, thread, ticket, ticketStatus } from "./support";
import { text, writtenText } from "./text";
import { DESK_STATUSES } from "./ticket-status";

/**
 * Grows with every change of a ticket. A change names the version it is based on (optimistic lock).
 */
const version = z.int().min(1);

/** `waitingSince`: time of the oldest message that no coach has answered. */
export const deskTicket = ticket.omit({ contact: true }).extend({
  type: supportType,
  lastDateTime: moment,
  unread: z.boolean(),
  messageCount: z.int().min(0),
  person: z.object({ name: z.string(), email: z.string() }),
  /** The beginning of the last message, on one line. */
  excerpt: z.string(),
  assignee: contact.nullable(),
  waitingSince: moment.nullable(),
  version,
});
export type DeskTicket = z.infer<typeof deskTicket>;

/** `internal`: the message is a note that only coaches see. */
export const deskMessage = message.extend({
  author: z.enum(["person", "coach"]),
  internal: z.boolean(),
});
export type DeskMessage = z.infer<typeof deskMessage>;

/**
 * `grace`: a renewal is unpaid. `undecided`: the bank was asked for a due debit, and nobody knows yet whether it
 * succeeds. `delayed`: the bank could not be asked for it yet. `nextDate` is the next debit while `active`, in all
 * other states the end of access. It is null for an ended subscription. `isAwaited`: in grace the payment
 * waits for its person, who has no card that can be charged or must confirm: no bank is waited for.
 */
export const deskSubscription = z.object({
  state: z.enum(["active", "grace", "undecided", "delayed", "stopped", "ended"]),
  since: moment,
  nextDate: moment.nullable(),
  formula: z.string(),
  isAwaited: z.literal(true).optional(),
});
export type DeskSubscription = z.infer<typeof deskSubscription>;

/**
 * `consentTakenBackDateTime`: as in `thread`. Until consent is given again, title and excerpt are empty and
 * there are no messages: the discussion is not open to coaches. `birth`: as in `thread`, and absent then.
 */
export const deskThread = deskTicket.extend({
  consentTakenBackDateTime: thread.shape.consentTakenBackDateTime,
  birth: thread.shape.birth,
  person: deskTicket.shape.person.extend({ subscription: deskSubscription.nullable() }),
  messages: z.array(deskMessage),
});

/**
 * `query`: words of title, person and messages. The last word may be incomplete. `sort=waiting`: who waits longest
 * for a coach comes first, and after all of these the last written; without it, the last written first.
 */
export const deskFilter = z.object({
  after: cursor.optional(),
  length: pageLength.optional(),
  type: supportType.optional(),
  status: statusList,
  assignee: z.union([z.enum(["me", "none"]), uid]).optional(),
  query: text.max(200).optional(),
  sort: z.enum(["waiting"]).optional(),
});
export type DeskFilter = z.infer<typeof deskFilter>;

export const deskCounts = z.record(supportType, z.record(ticketStatus, z.int().min(0)));
export type DeskCounts = z.infer<typeof deskCounts>;

const deskStatus = z.enum(DESK_STATUSES);

/** Without a status, an answer sets `pending` and a note changes nothing. */
export const newDeskMessage = z.object({
  message: writtenText(MESSAGE_LENGTH),
  internal: z.boolean().optional(),
  status: deskStatus.optional(),
  version: version.optional(),
});
export type NewDeskMessage = z.infer<typeof newDeskMessage>;

export const deskAnswer = z.object({ message: deskMessage, ticket: deskTicket });

/** `assignee: null` removes the assignment. */
export const ticketChange = z.object({
  status: deskStatus.optional(),
  assignee: uid.nullable().optional(),
  version,
});
export type TicketChange = z.infer<typeof ticketChange>;
