import type { AppLoadContext } from "@remix-run/node";
import { isSessionCookie, readSession, writeSession } from "./cookie.server";
import type { Session } from "./session.server";

export type RequestState = {
  session: Session;
  /** Somebody sent a form: also its page's loaders know. */
  posted: boolean;
  /** The page answers the post, also to somebody whom its loader would send on. */
  stays: boolean;
  /** An action answered with errors: the title says so (`Erreur : …`). */
  failed: boolean;
  /** Seconds until a limited visitor may try again. */
  retryAfter?: number | undefined;
  /** Headers of the redirects made so far. */
  redirects: Headers[];
};

// Loaders of one request get different `request` objects but the same `context`.
const states = new WeakMap<AppLoadContext, Promise<RequestState>>();

export function stateOf(context: AppLoadContext, request: Request): Promise<RequestState> {
  const known = states.get(context);
  if (known) return known;
  const opened = readSession(request).then((session) => ({
    session,
    posted: false,
    stays: false,
    failed: false,
    redirects: [],
  }));
  states.set(context, opened);
  return opened;
}

/**
 * Adds the one session cookie of this answer if anything changed. Called at the end of a request
 * only: documents and data. A loader that wrote it could miss a sibling's new token.
 */
export async function commitSession(
  context: AppLoadContext,
  request: Request,
  headers: Headers,
): Promise<void> {
  const state = await states.get(context);
  if (state?.retryAfter) headers.set("retry-after", String(state.retryAfter));
  if (!state?.session.changed || hasSessionCookie(headers)) return;
  addSession(headers, await writeSession(state.session, request));
}

/**
 * The same for redirects, which reach nobody at the end of a request: they carry the cookie from
 * the start, and a newer one with each token that a sibling still receives. Remix lets all loaders
 * end before it answers with one's redirect.
 */
export async function commitRedirects({ session, redirects }: RequestState, request: Request) {
  if (redirects.length === 0) return;
  session.returnFlash();
  if (!session.changed) return;
  let written: Session["data"];
  let cookie: string;
  do {
    written = session.data;
    cookie = await writeSession(session, request);
  } while (written !== session.data);
  for (const headers of redirects) {
    const others = headers.getSetCookie().filter((line) => !isSessionCookie(line));
    headers.delete("set-cookie");
    for (const line of others) headers.append("set-cookie", line);
    addSession(headers, cookie);
  }
}

function addSession(headers: Headers, cookie: string) {
  headers.append("set-cookie", cookie);
  headers.set("cache-control", "private, no-store");
}

const hasSessionCookie = (headers: Headers) => headers.getSetCookie().some(isSessionCookie);
