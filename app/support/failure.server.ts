import { throwResponse } from "~/api/throw-response";
import type { Success } from "~/api/client";
import { brokenStatus, type Failure } from "~/api/errors";
import { FAILED, found, NONE, type ReadResult } from "~/api/read-result";
import type { Input } from "~/api/prepare";
import type { EndpointName } from "~/contract/endpoints";
import { SECRET_PARAMETER } from "~/contract/mailed-link";
import { paths } from "~/paths";
import type { Visit } from "~/session/visit.server";

/**
 * Reads support data, by a session or a mailed link. A broken call becomes `failed`: the page says so.
 * Only an open page that reads its data again hears `none`.
 * @throws Response redirect to a new link when the link has expired, or the Response of the failure
 */
export async function findSupportData<N extends EndpointName>(
  visit: Visit,
  name: N,
  input: Input<N>,
): Promise<ReadResult<Success<N>>> {
  const outcome = await visit.attempt(name, input);
  if (outcome.ok) return found(outcome.value);
  // An answer to a post keeps the typed text, even if the thread cannot be read.
  if (visit.answersInPlace()) return FAILED;
  // A reply that was refused as another person's stays in the page, which shows nothing of theirs.
  if (visit.otherOwner()) return FAILED;
  if (visit.isReload()) return outcome.error.kind === "notFound" ? NONE : FAILED;
  await throwIfLost(visit, outcome.error);
  if (brokenStatus(outcome.error) === null) return throwResponse(outcome.error);
  visit.markUnread();
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

/** Why a text can no longer be sent: its thread does not exist any more, or its link has expired. */
export function lostBy({ secret }: Visit, failure: Failure): Lost | null {
  if (failure.kind === "notFound") return "gone";
  return "level" in failure && secret ? "worn" : null;
}

export type Lost = "gone" | "worn";

/**
 * Returns the secret of the mailed link, without which no tickets can be shown.
 * @throws Response redirect to the request for a new link, which also explains a truncated link
 */
export async function requireSecret({ url, secret, redirect }: Visit): Promise<string> {
  if (secret) return secret;
  throw await redirect(
    paths.contactLink(url.searchParams.get(SECRET_PARAMETER) ? { worn: "1" } : {}),
  );
}
