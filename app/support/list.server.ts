import { ProcessError, ServerError } from "~/api/errors";
import type { Visit } from "~/session/enter.server";
import { leaveWornOut } from "./failure.server";
import type { SupportKind } from "./kinds";
import { ticketWords } from "./ticket-words.server";
import { asResponse } from "~/api/as-response";

export const STATUSES = ["active", "closed", "locked"] as const;

/** The tickets or discussions of one person, newest activity first, ten at a time. */
export async function listThreads(visit: Visit, kind: SupportKind) {
  const { searchParams } = visit.url;
  const status = STATUSES.find((known) => known === searchParams.get("status")) ?? null;
  const after = searchParams.get("after");
  const outcome = await visit.attempt("listTickets", {
    params: { type: kind.type },
    headers: {},
    query: { ...(status && { status }), ...(after && { after }) },
  });
  if (outcome.ok) {
    const { payload, page } = outcome.value;
    const next = page.hasNextPage ? page.endCursor : null;
    return { status, threads: payload.map(ticketWords), next, failed: false };
  }
  const { error } = outcome;
  await leaveWornOut(visit, error);
  const passing = error instanceof ServerError || error instanceof ProcessError;
  if (!passing) return asResponse(error, visit.url.pathname);
  visit.fail();
  return { status, threads: [], next: null, failed: true };
}
