import type { AppLoadContext } from "@remix-run/node";
import type { KnownSenders } from "~/api/embedded.server";
import type { BrokenStatus, Failure } from "~/api/errors";
import { openTimeBudget, type TimeBudget } from "~/api/time-budget";
import type { EndpointName } from "~/contract/endpoints";
import type { RefusedReads } from "~/i18n/unread-words.server";
import type { MissingReason } from "~/log.server";
import { isSessionCookie, readSession, writeSession } from "./cookie.server";
import { isForMany, NO_STORE_OF_MANY } from "./form-key.server";
import type { OtherOwner } from "./owner.server";
import type { Session } from "./session.server";
import { standInOf, standInSession } from "./stand-in.server";

export type RequestState = {
  session: Session;
  /** The request posted a form. Loaders of the page see it too. */
  posted: boolean;
  /** The page answers the post itself: its loader must not redirect. */
  answersInPlace: boolean;
  /** The action answered with errors, which the title announces (`Erreur : …`). */
  failed: boolean;
  /** The form was made for somebody else than is signed in: it is refused. */
  otherOwner: OtherOwner | null;
  /** The form was made for somebody signed in, and nobody is signed in any more. */
  hasLostOwner: boolean;
  /** Shows, or may show, something of a person: no browser keeps it. */
  personal: boolean;
  /** The page has a form: no browser keeps it, and the host may keep it for visitors. */
  hasForm: boolean;
  /** A part of the page could not be read, so nobody keeps the page. */
  incomplete: boolean;
  /** What the page is for could not be read. */
  unread: boolean;
  /** The status of the last call that the API could not answer. */
  brokenStatus: BrokenStatus | null;
  /** The longest wait of the reads that a limit or a full queue refused. Null while they refused none. */
  readsRefused: RefusedReads | null;
  /** Why the page is not found. */
  missing?: MissingReason;
  /** Seconds until a limited visitor may try again. */
  retryAfter?: number | undefined;
  /** What its calls to the API share. */
  timeBudget: TimeBudget;
  /** Reads that spent their time limit without an answer. */
  silent: Map<EndpointName, Failure>;
  /** The people whom the tokens of this request stand for, until a call writes. */
  senders: KnownSenders;
  /** Headers of the redirects of this request. */
  redirects: Headers[];
};

// Loaders of one request get different `request` objects but the same `context`.
const states = new WeakMap<AppLoadContext, Promise<RequestState>>();

export function openRequestState(context: AppLoadContext, request: Request): Promise<RequestState> {
  const existing = states.get(context);
  if (existing) return existing;
  const standIn = standInOf(context);
  const session = standIn ? Promise.resolve(standInSession(standIn)) : readSession(request);
  const opened = session.then((session): RequestState => ({
    session,
    posted: false,
    answersInPlace: false,
    failed: false,
    otherOwner: null,
    hasLostOwner: false,
    personal: false,
    hasForm: false,
    incomplete: false,
    unread: false,
    brokenStatus: null,
    readsRefused: null,
    timeBudget: openTimeBudget(),
    silent: new Map<EndpointName, Failure>(),
    senders: new Map(),
    redirects: [],
  }));
  states.set(context, opened);
  return opened;
}

/**
 * Adds the session cookie to a document or data answer if the session changed, and sets the caching
 * headers. It runs only at the end of a request: a loader that wrote the cookie itself could miss a
 * new token that a parallel loader receives.
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
  setCaching(headers, state, isForMany(context));
}

/**
 * Does the same for redirects, which Remix sends without calling an entry. A redirect gets the cookie
 * when it is created, and again with each new token that a parallel loader receives. This is in time,
 * because Remix waits for all loaders before it answers with a redirect.
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
 * Sets who may store an answer. Nobody stores a personal answer: the Back button must not show
 * it after signing out. Nobody stores one that lacks something either. A form is stored by the host alone,
 * which gives each visitor another key. Other answers to a session are stored by its browser only, which
 * revalidates them. `Vary: Cookie`, because one address has different pages for different people.
 */
function setCaching(headers: Headers, state: RequestState, isForMany = false) {
  const { session, personal, hasForm, posted, incomplete } = state;
  headers.set("vary", withCookie(headers.get("vary")));
  if (headers.get("cache-control") === NO_STORE) return;
  const ofSession = Object.keys(session.data).length > 0 ? "private, no-cache" : "no-cache";
  const ofForm = isForMany ? NO_STORE_OF_MANY : NO_STORE;
  const ofPage = hasForm ? ofForm : ofSession;
  headers.set("cache-control", personal || posted || incomplete ? NO_STORE : ofPage);
}

function withCookie(vary: string | null) {
  const names = vary?.split(",").map((name) => name.trim()) ?? [];
  return names.some((name) => /^(?:cookie|\*)$/i.test(name))
    ? names.join(", ")
    : [...names, "Cookie"].join(", ");
}

const hasSessionCookie = (headers: Headers) => headers.getSetCookie().some(isSessionCookie);
