import type { TicketStatus } from "~/contract/support";

/** As people see them. */
export const SHOWN_STATUSES = ["active", "closed", "locked"] as const;
export type ShownStatus = (typeof SHOWN_STATUSES)[number];

export const shownStatus = (status: TicketStatus): ShownStatus =>
  status === "closed" || status === "locked" ? status : "active";
