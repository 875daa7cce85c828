import { z } from "zod/v4";
import { cursor, email, moment, pageLength, uid } from "./primitives";

export const supportType = z.enum(["contact", "coaching"]);
export type SupportType = z.infer<typeof supportType>;

/** Statuses of the platform; shown as active (new, pending, waiting), closed, locked. */
export const ticketStatus = z.enum(["closed", "locked", "new", "pending", "waiting"]);
export type TicketStatus = z.infer<typeof ticketStatus>;

export const contact = z.object({ uid, name: z.string() });

export const message = z.object({ uid, date: moment, content: z.string(), contact });
export type Message = z.infer<typeof message>;

/** `title` carries the category as `[category]: title`. */
export const ticket = z.object({
  uid,
  date: moment,
  title: z.string(),
  status: ticketStatus,
  contact: z.object({ email: z.string(), name: z.string() }).optional(),
});
export type Ticket = z.infer<typeof ticket>;

export const thread = ticket.extend({ messages: z.array(message) });

const text = z.string().trim().min(1).max(10_000);

export const ticketFilter = z.object({
  after: cursor.optional(),
  length: pageLength.optional(),
  status: ticketStatus.optional(),
});

export const threadFilter = z.object({ cursor: cursor.optional() });

export const newTicket = z.object({
  title: z.string().trim().min(1).max(200),
  message: text,
  email: email.optional(),
  name: z.string().trim().min(1).max(100).optional(),
  category: z.string().max(60).optional(),
  token: z.string().max(512).optional(),
});

export const newMessage = z.object({ message: text });

export const linkRequest = z.object({ email });
