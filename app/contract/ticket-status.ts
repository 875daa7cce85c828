/*
 * All lists, filters, columns and texts of statuses derive from these constants. The file has no zod,
 * because components import it in the browser.
 */

export const SUPPORT_TYPES = ["contact", "coaching"] as const;
export type SupportType = (typeof SUPPORT_TYPES)[number];

/** Statuses that allow replies. Those that need a coach come first. */
const ACTIVE = ["new", "waiting", "pending"] as const;
/** Statuses that allow no reply. */
const FINISHED = ["closed", "locked"] as const;

export const TICKET_STATUSES = [...ACTIVE, ...FINISHED] as const;
export type TicketStatus = (typeof TICKET_STATUSES)[number];

/** A new ticket that no coach has answered. */
export const UNANSWERED = "new" satisfies TicketStatus;
/** The person wrote again after an answer. */
export const REPLIED = "waiting" satisfies TicketStatus;
/** A coach answered, and the person may reply. */
export const ANSWERED = "pending" satisfies TicketStatus;
/** Nobody can reply any more. */
export const CLOSED = "closed" satisfies TicketStatus;

/** Statuses that a coach may set. An answered ticket never becomes new again. */
export const DESK_STATUSES = [REPLIED, ANSWERED, ...FINISHED] as const;

/** Statuses that the ticket's owner sees. */
export const SHOWN_STATUSES = ["active", ...FINISHED] as const;
export type ShownStatus = (typeof SHOWN_STATUSES)[number];

/** Values of the status filter. `active` means all statuses that allow replies. */
export const FILTER_STATUSES = ["active", ...TICKET_STATUSES] as const;
export type FilterStatus = (typeof FILTER_STATUSES)[number];

/** The statuses that a filter stands for. */
export const statusesOf = (filter: FilterStatus): readonly TicketStatus[] =>
  filter === "active" ? ACTIVE : [filter];

export const isActive = (status: TicketStatus) => statusesOf("active").includes(status);

/** Whether a coach must write next. */
export const awaitsCoach = (status: TicketStatus) => status === UNANSWERED || status === REPLIED;

export const shownAs = (status: TicketStatus): ShownStatus =>
  FINISHED.find((one) => one === status) ?? "active";
