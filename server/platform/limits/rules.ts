/** At most `max` events of a subject within a window that slides. */
export type LimitRule = { scope: string; max: number; windowMs: number };

const MINUTE_MS = 60_000;

/** Cards that the bank refused, per address of the visitor. */
export const CARD_DECLINES: LimitRule = {
  scope: "card.declined",
  max: 10,
  windowMs: 15 * MINUTE_MS,
};

const HOUR_MS = 60 * MINUTE_MS;

/** Tickets opened, per address of the visitor. */
export const TICKETS: LimitRule = { scope: "support.ticket", max: 20, windowMs: HOUR_MS };

/** Messages written in threads, per person. */
export const MESSAGES: LimitRule = { scope: "support.message", max: 120, windowMs: HOUR_MS };

/** Links asked for, per address of the visitor. */
export const LINK_REQUESTS: LimitRule = { scope: "support.link", max: 20, windowMs: HOUR_MS };

/** Links mailed because somebody asked, per letter box. */
export const LINK_MAILS: LimitRule = { scope: "support.mailed-link", max: 3, windowMs: HOUR_MS };

/** Receipts of tickets mailed, per letter box. */
export const TICKET_MAILS: LimitRule = { scope: "support.receipt", max: 10, windowMs: HOUR_MS };
