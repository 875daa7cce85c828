import type { AppLoadContext } from "@remix-run/node";
import { readSession, writeSession } from "./cookie.server";
import type { Session } from "./session.server";

export type RequestState = {
  session: Session;
  /** An action answered with errors: the title says so (`Erreur : …`). */
  failed: boolean;
};

// Loaders of one request get different `request` objects but the same `context`.
const states = new WeakMap<AppLoadContext, Promise<RequestState>>();

export function stateOf(context: AppLoadContext, request: Request): Promise<RequestState> {
  const known = states.get(context);
  if (known) return known;
  const opened = readSession(request).then((session) => ({ session, failed: false }));
  states.set(context, opened);
  return opened;
}

/**
 * Adds the one session cookie of this answer if anything changed. Called at the end of a request
 * only: documents, data, redirects. A loader that wrote it could miss a sibling's new token.
 */
export async function commitSession(
  context: AppLoadContext,
  request: Request,
  headers: Headers,
): Promise<void> {
  const state = await states.get(context);
  if (!state?.session.changed || hasSessionCookie(headers)) return;
  headers.append("set-cookie", await writeSession(state.session, request));
  headers.set("cache-control", "private, no-store");
}

function hasSessionCookie(headers: Headers) {
  return headers.getSetCookie().some((value) => value.startsWith("cap_session="));
}
