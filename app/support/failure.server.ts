import { asResponse } from "~/api/as-response";
import type { Success } from "~/api/client";
import { NotFoundError, type ExpectedError } from "~/api/errors";
import type { Input } from "~/api/prepare";
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
  const outcome = await attemptRead(visit, name, input);
  if (outcome.ok) return outcome.value;
  await leaveLost(visit, outcome.error);
  return asResponse(outcome.error, visit.url.pathname);
}

/** @throws Response 400 for an address that asks for what cannot be */
export const attemptRead = <N extends EndpointName>(visit: Visit, name: N, input: Input<N>) =>
  visit.attempt(name, input).catch((error) => asResponse(error, visit.url.pathname));

/**
 * @throws Response 404 when there is no such thread for this person; redirect to where a new link is
 * had, when this one is worn out
 */
export async function leaveLost(visit: Visit, error: ExpectedError) {
  if (error instanceof NotFoundError) asResponse(error, visit.url.pathname);
  // Either level: what the link opened before it does not open now.
  if (!("level" in error) || !visit.secret) return;
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
