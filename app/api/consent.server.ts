import type { Visit } from "~/session/visit.server";
import { mapResult, type ReadResult } from "./read-result";

/** `givenAt`: of the consent that stands. `discussions`: null when the API does not say how many. */
export type ConsentState = { givenAt: string | null; discussions: number | null };

/**
 * Whether the person agreed to the handling of sensitive information, and how many discussions they have.
 * An API that lacks the call knows of none.
 */
export async function findConsent(visit: Visit): Promise<ReadResult<ConsentState>> {
  const uid = visit.session.claims()?.uid ?? "";
  const read = await visit.find("getSensitiveConsent", { params: { uid } });
  return mapResult(read, ({ payload, discussions = null }) => ({
    givenAt: payload?.givenDateTime ?? null,
    discussions,
  }));
}
