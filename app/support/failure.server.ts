import { throwResponse } from "~/api/throw-response";
import type { Success } from "~/api/client";
import { brokenStatus, type Failure } from "~/api/errors";
import { FAILED, found, type ReadResult } from "~/api/read-result";
import type { Input } from "~/api/prepare";
import type { EndpointName } from "~/contract/endpoints";
import { paths } from "~/paths";
import type { Visit } from "~/session/visit.server";

/**
 * Reads support data, by a session or a mailed link. A broken call becomes `failed`: the page says so.
 * @throws Response redirect to a new link when the link has expired, or the Response of the failure
 */
export async function findSupportData<N extends EndpointName>(
  visit: Visit,
  name: N,
  input: Input<N>,
): Promise<Exclude<ReadResult<Success<N>>, { kind: "none" }>> {
  const outcome = await visit.attempt(name, input);
  if (outcome.ok) return found(outcome.value);
  // The page answers a post: what was written stays, whatever became of the thread.
  if (visit.answersInPlace()) return FAILED;
  // A reply that was refused as another person's stays in the page, which shows nothing of theirs.
  if (visit.otherOwner()) return FAILED;
  await throwIfLost(visit, outcome.error);
  if (brokenStatus(outcome.error) === null) return throwResponse(outcome.error);
  visit.markFailed();
  return FAILED;
}

/**
 * Ends the request if the thread is gone or the mailed link has expired.
 * @throws Response 404 when this person has no such thread; redirect to a new link when this one expired
 */
export async function throwIfLost(visit: Visit, failure: Failure) {
  if (failure.kind === "notFound") await visit.throwNotFound();
  // 401 and 403 mean the same here: the link no longer opens the thread.
  if (!("level" in failure) || !visit.secret) return;
  throw await visit.redirect(paths.contactLink({ worn: "1" }), { status: 303 });
}

/** Why a text can be sent to its thread no more: it is gone, or the link that opened it is worn out. */
export function lostBy({ secret }: Visit, failure: Failure): Lost | null {
  if (failure.kind === "notFound") return "gone";
  return "level" in failure && secret ? "worn" : null;
}

export type Lost = "gone" | "worn";

/**
 * Without the mailed link's secret nobody's tickets can be shown.
 * @throws Response redirect to where a link is had; of one that was cut on its way the page says so
 */
export async function requireSecret({ url, secret, redirect }: Visit): Promise<string> {
  if (secret) return secret;
  throw await redirect(paths.contactLink(url.searchParams.get("t") ? { worn: "1" } : {}));
}
