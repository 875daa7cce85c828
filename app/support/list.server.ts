import { SHOWN_STATUSES } from "~/contract/ticket-status";
import type { Visit } from "~/session/visit.server";
import { findSupportData } from "./failure.server";
import type { SupportKind } from "./kinds";
import { ticketWords } from "./ticket-words.server";

/** A page of one person's tickets or discussions, latest activity first. */
export async function listThreads(visit: Visit, kind: SupportKind) {
  const { searchParams } = visit.url;
  const status = SHOWN_STATUSES.find((known) => known === searchParams.get("status")) ?? null;
  const after = searchParams.get("after");
  const result = await findSupportData(visit, "listTickets", {
    params: { type: kind.type },
    headers: {},
    query: { ...(status && { status }), ...(after && { after }) },
  });
  if (result.kind !== "found") return { status, threads: [], next: null, failed: true };
  const { payload, page } = result.value;
  const next = page.hasNextPage ? page.endCursor : null;
  return { status, threads: payload.map(ticketWords), next, failed: false };
}
