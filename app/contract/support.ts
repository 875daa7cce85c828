import { z } from "zod/v4";
import { CATEGORY_LENGTH, CONTACT_NAME_LENGTH, MESSAGE_LENGTH, TITLE_LENGTH } from "./limits";
import { cursor, email, knownEmail, moment, pageLength, uid } from "./primitives";
import { text, writtenLine, writtenText } from "./text";
import { FILTER_STATUSES, SUPPORT_TYPES, TICKET_STATUSES } from "./ticket-status";

/** Message of the 401 for a mailed link that was good once: the site then says "worn out". */
export const WORN_LINK = "This link has expired or was revoked";

export const supportType = z.enum(SUPPORT_TYPES);
export const ticketStatus = z.enum(TICKET_STATUSES);
const filterStatus = z.enum(FILTER_STATUSES);

export const contact = z.object({ uid, name: z.string() });

/** `author`: which side wrote it; `contact`: who. */
export const message = z.object({
  uid,
  date: moment,
  content: z.string(),
  contact,
  author: z.enum(["person", "coach"]).optional(),
});
export type Message = z.infer<typeof message>;

/**
 * `title` carries the category as `[category]: title`; `lastDateTime`: of the last message;
 * `unread`: there are answers which the person has not opened.
 */
export const ticket = z.object({
  uid,
  date: moment,
  title: z.string(),
  status: ticketStatus,
  contact: z.object({ email: z.string(), name: z.string() }).optional(),
  lastDateTime: moment.optional(),
  unread: z.boolean().optional(),
  messageCount: z.int().min(0).optional(),
});
export type Ticket = z.infer<typeof ticket>;

/** A title as the platform keeps it, split again for showing. */
export function splitTitle(full: string): { category: string | null; title: string } {
  const [, category, title] = /^\[([^\]]+)\]: (.*)$/s.exec(full) ?? [];
  return category && title ? { category, title } : { category: null, title: full };
}

/** Messages from the oldest to the newest of the page. */
export const thread = ticket.extend({ messages: z.array(message) });
export type Thread = z.infer<typeof thread>;

/** One or several statuses. */
export const statusList = z
  .union([z.array(filterStatus).max(10), filterStatus.transform((one) => [one])])
  .optional();

export const ticketFilter = z.object({
  after: cursor.optional(),
  length: pageLength.optional(),
  status: statusList,
});

/**
 * `cursor`: messages before those of the page it came with, and `hasNextPage` tells whether there
 * are older ones still. `since`, uid of a message: only those after it, and `hasNextPage` tells
 * whether there are newer ones still: ask again since the last.
 */
export const threadFilter = z.object({ cursor: cursor.optional(), since: uid.optional() });

/** The `t` of a mailed link, as `Contact <t>`. */
export const supportCredential = z.object({
  "support-authorization": text.max(600).optional(),
});

/** `[` and `]` bound the category in the title. */
const category = z
  .string()
  .trim()
  .max(CATEGORY_LENGTH)
  .regex(/^[^[\]\p{C}]*$/u);

/** `token`: the `t` of a mailed link, of who does not say e-mail and name. */
export const newTicket = z.object({
  title: writtenLine(TITLE_LENGTH),
  message: writtenText(MESSAGE_LENGTH),
  email: email.optional(),
  name: writtenLine(CONTACT_NAME_LENGTH).optional(),
  category: category.optional(),
  token: text.max(512).optional(),
});
export type NewTicket = z.infer<typeof newTicket>;

/** E-mail and name are required of a contact who is not known by a token. */
export const newContactTicket = newTicket
  .refine((given) => isKnownBy(given, "email"), requiredAt("email"))
  .refine((given) => isKnownBy(given, "name"), requiredAt("name"));

export const newMessage = z.object({ message: writtenText(MESSAGE_LENGTH) });

/** Up to that message; without it, all there is. */
export const readMark = z.object({ until: uid.optional() });

export const linkRequest = z.object({ email: knownEmail });

function isKnownBy(given: { token?: unknown } & Record<string, unknown>, property: string) {
  return given[property] !== undefined || (given.token !== undefined && given.email === undefined);
}

/** Told together with whatever else is wrong. */
function requiredAt(property: string) {
  const when = ({ value }: { value: unknown }) => typeof value === "object" && value !== null;
  return { path: [property], message: "Required", when };
}
