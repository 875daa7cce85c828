import { throwResponse } from "~/api/throw-response";
import type { Success } from "~/api/client";
import { brokenStatus, type Failure } from "~/api/errors";
import { FAILED, found, type ReadResult } from "~/api/read-result";
import type { Input } from "~/api/prepare";
import type { EndpointName } from "~/contract/endpoints";
import { paths } from "~/paths";
import type { Visit } from "~/session/visit.server";

/**
 * A read that a mailed link may open: a worn-out one leads to a new one. What broke is told in the page.
 * @throws Response redirect, or the page of the failure
 */
export async function findSupportData<N extends EndpointName>(
  visit: Visit,
  name: N,
  input: Input<N>,
): Promise<Exclude<ReadResult<Success<N>>, { kind: "none" }>> {
  const outcome = await visit.attempt(name, input);
  if (outcome.ok) return found(outcome.value);
  await throwIfLost(visit, outcome.error);
  if (brokenStatus(outcome.error) === null) return throwResponse(outcome.error);
  visit.markFailed();
  return FAILED;
}

/**
 * @throws Response 404 when there is no such thread for this person; redirect to where a new link is
 * had, when this one is worn out
 */
export async function throwIfLost(visit: Visit, failure: Failure) {
  if (failure.kind === "notFound") await visit.throwNotFound();
  // Either level: what the link opened before it does not open now.
  if (!("level" in failure) || !visit.secret) return;
  throw await visit.redirect(paths.contactLink({ worn: "1" }), { status: 303 });
}

/**
 * Without the mailed link's secret nobody's tickets can be shown.
 * @throws Response redirect to where a link is had; of one that was cut on its way the page says so
 */
export async function requireSecret({ url, secret, redirect }: Visit): Promise<string> {
  if (secret) return secret;
  throw await redirect(paths.contactLink(url.searchParams.get("t") ? { worn: "1" } : {}));
}
