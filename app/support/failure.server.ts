import { asResponse } from "~/api/as-response";
import type { Input, Success } from "~/api/client";
import { UnauthorizedError, type ExpectedError } from "~/api/errors";
import type { EndpointName } from "~/contract/endpoints";
import { paths } from "~/paths";
import type { Visit } from "~/session/enter.server";

/**
 * A read that a mailed link opens: a worn-out one leads to a new one.
 * @throws Response redirect, or the page of the failure
 */
export async function readThrough<N extends EndpointName>(
  visit: Visit,
  name: N,
  input: Input<N>,
): Promise<Success<N>> {
  const outcome = await visit.attempt(name, input);
  if (outcome.ok) return outcome.value;
  await leaveWornOut(visit, outcome.error);
  return asResponse(outcome.error, visit.url.pathname);
}

/** @throws Response redirect to where a new link is had, when this one is worn out */
export async function leaveWornOut(visit: Visit, error: ExpectedError) {
  if (!(error instanceof UnauthorizedError) || !visit.secret) return;
  throw await visit.redirect(paths.contactLink({ worn: "1" }), { status: 303 });
}
