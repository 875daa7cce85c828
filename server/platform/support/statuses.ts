import type { statusList } from "../../../app/contract/support";
import {
  awaitsCoach,
  isActive,
  REPLIED,
  statusesOf,
  UNANSWERED,
  type TicketStatus,
} from "../../../app/contract/ticket-status";
import type { z } from "zod/v4";
import type { Tables } from "../database/tables";
import { conflict } from "../http/refusal";

/** The statuses that a filter asks for, each once; undefined: it asks for none in particular. */
export function wantedStatuses(filter: z.output<typeof statusList>): TicketStatus[] | undefined {
  return filter && [...new Set(filter.flatMap(statusesOf))];
}

/** A question stays new until somebody answers it; afterwards a reply waits for a coach. */
export const afterPerson = (status: TicketStatus): TicketStatus =>
  status === UNANSWERED ? UNANSWERED : REPLIED;

/** @throws Refusal 409 for what takes no reply */
export function checkOpen({ status }: { status: TicketStatus }) {
  if (!isActive(status)) throw conflict("status", `This thread is ${status} and takes no reply`);
}

type Times = Pick<Tables["ticket"], "waiting_since" | "closed_at">;

/** A status, and since when a coach owes an answer or the thread is over. */
export function statusColumns(
  status: TicketStatus,
  { waiting_since, closed_at }: Times,
  now: string,
) {
  return {
    status,
    waiting_since: awaitsCoach(status) ? (waiting_since ?? now) : null,
    closed_at: isActive(status) ? null : (closed_at ?? now),
  };
}
