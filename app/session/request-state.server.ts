import type { AppLoadContext } from "@remix-run/node";
import { isSessionCookie, readSession, writeSession } from "./cookie.server";
import type { Session } from "./session.server";

export type RequestState = {
  session: Session;
  /** Somebody sent a form: also its page's loaders know. */
  posted: boolean;
  /** The page answers the post, also to somebody whom its loader would send on. */
  answersInPlace: boolean;
  /** An action answered with errors: the title says so (`Erreur : …`). */
  failed: boolean;
  /** Shows, or may show, something of a person: no browser keeps it. */
  personal: boolean;
  /** Seconds until a limited visitor may try again. */
  retryAfter?: number | undefined;
  /** Headers of the redirects made so far. */
  redirects: Headers[];
};

// Loaders of one request get different `request` objects but the same `context`.
const states = new WeakMap<AppLoadContext, Promise<RequestState>>();

export function openRequestState(context: AppLoadContext, request: Request): Promise<RequestState> {
  const existing = states.get(context);
  if (existing) return existing;
  const opened = readSession(request).then((session) => ({
    session,
    posted: false,
    answersInPlace: false,
    failed: false,
    personal: false,
    redirects: [],
  }));
  states.set(context, opened);
  return opened;
}

/**
 * Adds the one session cookie of this answer if anything changed, and says who may keep the answer.
 * Called at the end of a request only: documents and data. A loader that wrote the cookie could miss
 * a sibling's new token.
 */
export async function commitSession(
  context: AppLoadContext,
  request: Request,
  headers: Headers,
): Promise<void> {
  const state = await openRequestState(context, request);
  if (state.retryAfter) headers.set("retry-after", String(state.retryAfter));
  if (state.session.changed && !hasSessionCookie(headers)) {
    addSession(headers, await writeSession(state.session, request));
  }
  setCaching(headers, state);
}

/**
 * The same for redirects, which reach nobody at the end of a request: they carry the cookie from
 * the start, and a newer one with each token that a sibling still receives. Remix lets all loaders
 * end before it answers with one's redirect.
 */
export async function commitRedirects(state: RequestState, request: Request) {
  const { session, redirects } = state;
  if (redirects.length === 0) return;
  session.returnFlash();
  for (const headers of redirects) setCaching(headers, state);
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

const NO_STORE = "private, no-store";

function addSession(headers: Headers, cookie: string) {
  headers.append("set-cookie", cookie);
  headers.set("cache-control", NO_STORE);
}

/**
 * Who may keep an answer. A personal one nobody: after signing out, Back must not bring it
 * up again. Any other that a session had a part in only its own browser, which asks before it shows it
 * anew. The same address holds other pages for other people, so that a cache in between must tell
 * their cookies apart.
 */
function setCaching(headers: Headers, { session, personal, posted }: RequestState) {
  headers.set("vary", withCookie(headers.get("vary")));
  if (headers.get("cache-control") === NO_STORE) return;
  const ofSession = Object.keys(session.data).length > 0 ? "private, no-cache" : "no-cache";
  headers.set("cache-control", personal || posted ? NO_STORE : ofSession);
}

function withCookie(vary: string | null) {
  const names = vary?.split(",").map((name) => name.trim()) ?? [];
  return names.some((name) => /^(?:cookie|\*)$/i.test(name))
    ? names.join(", ")
    : [...names, "Cookie"].join(", ");
}

const hasSessionCookie = (headers: Headers) => headers.getSetCookie().some(isSessionCookie);
