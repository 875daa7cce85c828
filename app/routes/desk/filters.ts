import type { DeskFilter } from "~/contract/desk";
import {
  awaitsCoach,
  FILTER_STATUSES,
  statusesOf,
  SUPPORT_TYPES,
  type FilterStatus,
  type SupportType,
} from "~/contract/ticket-status";

/** Filters in the address of the inbox. Unknown values are ignored. */
export type Filters = {
  type: SupportType | null;
  /** Null for all: what a search covers until a status is chosen. */
  status: FilterStatus | null;
  assignee: "me" | "none" | null;
  q: string;
  after: string | null;
};

export const ASSIGNEES = ["me", "none"] as const;

export function readFilters({ searchParams }: URL): Filters {
  const oneOf = <T extends string>(name: string, known: readonly T[]) =>
    known.find((one) => one === searchParams.get(name)) ?? null;
  const q = (searchParams.get("q") ?? "").trim().slice(0, 200);
  return {
    type: oneOf("type", SUPPORT_TYPES),
    status: oneOf("status", FILTER_STATUSES) ?? usualStatus(q),
    assignee: oneOf("assignee", ASSIGNEES),
    q,
    after: searchParams.get("after"),
  };
}

/** Whoever searches does not know the status; without a search, the inbox is what is left to do. */
const usualStatus = (q: string) => (q === "" ? "active" : null);

export function toQuery({ type, status, assignee, q, after }: Filters): DeskFilter {
  return {
    ...(status && { status: [status] }),
    ...(status && hasWaiting(status) && { sort: "waiting" }),
    ...(type && { type }),
    ...(assignee && { assignee }),
    ...(q && { query: q }),
    ...(after && { after }),
  };
}

/** What waits for a coach is a queue; what was answered or closed has its last messages first. */
const hasWaiting = (status: FilterStatus) => statusesOf(status).some(awaitsCoach);

/** How many filters differ from what the inbox shows by itself. */
export const countActive = ({ type, status, assignee, q }: Filters) =>
  [type, status !== usualStatus(q), assignee].filter(Boolean).length;

/** The query of the inbox with changed filters. It starts at the first page. */
export function toAddress(filters: Filters, change: Partial<Filters>) {
  const { type, status, assignee, q, after } = { ...filters, after: null, ...change };
  return {
    ...(type && { type }),
    ...(status && status !== usualStatus(q) && { status }),
    ...(assignee && { assignee }),
    ...(q && { q }),
    ...(after && { after }),
  };
}
