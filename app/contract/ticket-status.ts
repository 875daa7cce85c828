/*
 * All lists, filters, columns and words of statuses derive from these. Without zod: components read
 * them in the browser too.
 */

export const SUPPORT_TYPES = ["contact", "coaching"] as const;
export type SupportType = (typeof SUPPORT_TYPES)[number];

/** Open for replies. What asks for work comes first. */
const ACTIVE = ["new", "waiting", "pending"] as const;
/** Over: no reply is taken. */
const FINISHED = ["closed", "locked"] as const;

export const TICKET_STATUSES = [...ACTIVE, ...FINISHED] as const;
export type TicketStatus = (typeof TICKET_STATUSES)[number];

/** A question that nobody has answered. */
export const UNANSWERED = "new" satisfies TicketStatus;
/** The person wrote again after an answer. */
export const REPLIED = "waiting" satisfies TicketStatus;
/** A coach answered, and the person may reply. */
export const ANSWERED = "pending" satisfies TicketStatus;

/** What a coach may set: a ticket that was answered once is never new again. */
export const DESK_STATUSES = [REPLIED, ANSWERED, ...FINISHED] as const;

/** As its owner sees it. */
export const SHOWN_STATUSES = ["active", ...FINISHED] as const;
export type ShownStatus = (typeof SHOWN_STATUSES)[number];

/** What lists are filtered by: `active` stands for all that are open for replies. */
export const FILTER_STATUSES = ["active", ...TICKET_STATUSES] as const;
export type FilterStatus = (typeof FILTER_STATUSES)[number];

/** The statuses that a filter stands for. */
export const statusesOf = (filter: FilterStatus): readonly TicketStatus[] =>
  filter === "active" ? ACTIVE : [filter];

export const isActive = (status: TicketStatus) => statusesOf("active").includes(status);

/** A coach owes the next answer. */
export const awaitsCoach = (status: TicketStatus) => status === UNANSWERED || status === REPLIED;

export const shownAs = (status: TicketStatus): ShownStatus =>
  FINISHED.find((one) => one === status) ?? "active";
