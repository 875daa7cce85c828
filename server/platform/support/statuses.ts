import type { statusList, TicketStatus } from "../../../app/contract/support";
import type { z } from "zod/v4";
import type { Tables } from "../database/tables";
import { Refusal } from "../http/refusal";

/** Shown as active. */
const ACTIVE: readonly TicketStatus[] = ["new", "pending", "waiting"];
export const STATUSES: readonly TicketStatus[] = [...ACTIVE, "closed", "locked"];

export const isActive = (status: TicketStatus) => ACTIVE.includes(status);

/** The statuses that a filter asks for, each once; undefined: it asks for none in particular. */
export function statusesOf(filter: z.output<typeof statusList>): TicketStatus[] | undefined {
  const all = filter?.flatMap((one) => (one === "active" ? ACTIVE : [one]));
  return all && [...new Set(all)];
}

/** A question stays new until somebody answers it; afterwards a reply waits for a coach. */
export const afterPerson = (status: TicketStatus): TicketStatus =>
  status === "new" ? "new" : "waiting";

/** @throws Refusal 409 for what takes no reply */
export function checkOpen({ status }: { status: TicketStatus }) {
  if (!isActive(status)) throw new Refusal(409, `This thread is ${status} and takes no reply`);
}

type Times = Pick<Tables["ticket"], "waiting_since" | "closed_at">;

/** A status, and since when a coach owes an answer or the thread is over. */
export function statusColumns(
  status: TicketStatus,
  { waiting_since, closed_at }: Times,
  now: string,
) {
  const owes = status === "new" || status === "waiting";
  return {
    status,
    waiting_since: owes ? (waiting_since ?? now) : null,
    closed_at: isActive(status) ? null : (closed_at ?? now),
  };
}
