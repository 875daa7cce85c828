import { z } from "zod/v4";
import {
  BIRTH_LENGTH,
  CATEGORY_LENGTH,
  CONTACT_NAME_LENGTH,
  MESSAGE_LENGTH,
  TITLE_LENGTH,
} from "./limits";
import { cursor, email, knownEmail, moment, pageLength, uid } from "./primitives";
import { text, writtenLine, writtenText } from "./text";
import { FILTER_STATUSES, SUPPORT_TYPES, TICKET_STATUSES } from "./ticket-status";

/**
 * Message of the 401 for a mailed link that has expired or was revoked. The site offers a new link
 * then.
 */
export const WORN_LINK = "This link has expired or was revoked";

export const supportType = z.enum(SUPPORT_TYPES, { error: "Valid support type is required" });
export const ticketStatus = z.enum(TICKET_STATUSES);
const filterStatus = z.enum(FILTER_STATUSES);

export const contact = z.object({ uid, name: z.string() });

/**
 * `author`: the side that wrote the message. `contact`: the person. `trimmed`: what was cut from a reply by mail, such as
 * its signature; `isTrimmedShort`: it was longer, and this is its beginning.
 */
export const message = z.object({
  uid,
  date: moment,
  content: z.string(),
  contact,
  author: z.enum(["person", "coach"]).optional(),
  trimmed: z.string().optional(),
  isTrimmedShort: z.literal(true).optional(),
});
export type Message = z.infer<typeof message>;

/**
 * `title` holds the category as `[category]: title`. `lastDateTime`: time of the last message.
 * `unread`: the person has not opened all answers.
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

/** Splits a stored title into category and title. */
export function splitTitle(full: string): { category: string | null; title: string } {
  const [, category, title] = /^\[([^\]]+)\]: (.*)$/s.exec(full) ?? [];
  return category && title ? { category, title } : { category: null, title: full };
}

/**
 * A page of messages, the oldest first. `consentTakenBackDateTime`: when the person took back the consent
 * that their discussions are held on, while none stands since; until then no one writes in them. `birth`: what
 * the person told of theirs when they opened the discussion.
 */
export const thread = ticket.extend({
  birth: z.string().optional(),
  messages: z.array(message),
  consentTakenBackDateTime: moment.nullable().optional(),
});
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
 * `cursor` asks for older messages; `hasNextPage` then says whether even older ones exist. `since`, the
 * uid of a message, asks for newer ones; `hasNextPage` then says whether more follow.
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

/**
 * `token`: the `t` of a mailed link. It replaces e-mail and name. `birth`, of discussions only: date, hour and
 * place, in the words of the person.
 */
export const newTicket = z.object({
  title: writtenLine(TITLE_LENGTH),
  message: writtenText(MESSAGE_LENGTH),
  email: email.optional(),
  name: writtenLine(CONTACT_NAME_LENGTH).optional(),
  category: category.optional(),
  birth: writtenLine(BIRTH_LENGTH).optional(),
  token: text.max(512).optional(),
});
export type NewTicket = z.infer<typeof newTicket>;

/** E-mail and name are required without a token. */
export const newContactTicket = newTicket
  .omit({ birth: true })
  .refine((given) => isKnownBy(given, "email"), requiredAt("email"))
  .refine((given) => isKnownBy(given, "name"), requiredAt("name"));

export const newMessage = z.object({ message: writtenText(MESSAGE_LENGTH) });

/** Marks messages as read up to `until`, or all of them without it. */
export const readMark = z.object({ until: uid.optional() });

/**
 * Consent to the handling of sensitive information in discussions (RGPD, article 9-2-a). `text`: the words
 * beside the box; `version`: their digest.
 */
export const sensitiveConsent = z.object({ version: z.string(), givenDateTime: moment });
export const sensitiveConsentRequest = z.object({ text: text.min(1).max(2_000) });

/** `discussions`: how many the account holds, open or closed; an older API does not say. */
export const sensitiveConsentAnswer = z.object({
  payload: sensitiveConsent.nullable(),
  discussions: z.int().min(0).optional(),
});

/** What becomes of the discussions; without it they are closed. */
export const takeBackQuery = z.object({ discussions: z.enum(["close", "erase"]).optional() });

/**
 * What people may know before they write to coaches. `answerMinutes`: how long the first answer usually takes;
 * null while there were too few. `takesBirth`: the API keeps the `birth` of a new discussion.
 */
export const coachingFacts = z.object({
  answerMinutes: z.int().min(1).nullable(),
  takesBirth: z.boolean().optional(),
});

export const linkRequest = z.object({ email: knownEmail });

function isKnownBy(given: { token?: unknown } & Record<string, unknown>, property: string) {
  return given[property] !== undefined || (given.token !== undefined && given.email === undefined);
}

/** `when` makes the check run even if other fields are faulty, so that all faults are reported. */
function requiredAt(property: string) {
  const when = ({ value }: { value: unknown }) => typeof value === "object" && value !== null;
  return { path: [property], message: "Required", when };
}
