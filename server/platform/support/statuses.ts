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

/** The statuses of a filter, each once; undefined when it names none. */
export function wantedStatuses(filter: z.output<typeof statusList>): TicketStatus[] | undefined {
  return filter && [...new Set(filter.flatMap(statusesOf))];
}

/** The status after a message of the person: new until the first answer, then waiting for a coach. */
export const statusAfterPerson = (status: TicketStatus): TicketStatus =>
  status === UNANSWERED ? UNANSWERED : REPLIED;

/** @throws Refusal 409 when the thread accepts no reply */
export function checkOpen({ status }: { status: TicketStatus }) {
  if (!isActive(status)) throw conflict("status", `This thread is ${status} and takes no reply`);
}

type Times = Pick<Tables["ticket"], "waiting_since" | "closed_at">;

/** Columns of a status: the status, the start of the person's wait and the time of closing. */
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
