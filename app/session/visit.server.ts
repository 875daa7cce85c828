import type { AppLoadContext } from "@remix-run/node";
import type { Api, Success } from "~/api/client";
import { isUnknownCall } from "~/api/unknown-call";
import type { Input } from "~/api/prepare";
import { FAILED, found, NONE, type ReadResult } from "~/api/read-result";
import { throwResponse } from "~/api/throw-response";
import { openTimeBudget, type TimeBudget } from "~/api/time-budget";
import type { TokenClaims } from "~/contract/accounts";
import type { Redirection } from "~/contract/content";
import type { EndpointName } from "~/contract/endpoints";
import { PATH_LENGTH, QUERY_LIMITS } from "~/contract/limits";
import { supportType } from "~/contract/support";
import { breadcrumbSteps } from "~/i18n/breadcrumb-steps.server";
import { translate } from "~/i18n/i18n.server";
import { unreadWords } from "~/i18n/unread-words.server";
import { createPageMeta, type PageMeta, type PageTexts } from "~/i18n/page-meta.server";
import type { Translate } from "~/i18n/translate";
import type { MissingReason } from "~/log.server";
import { isForeignWrite } from "./foreign";
import { isMarkOf, pageMark, type OtherOwner } from "./owner.server";
import { findSignedIn, openPageApi } from "./page-api.server";
import { preferencesOf } from "./preferences.server";
import { isDeclaration, type PageHandle, type ProviderName } from "./page-handle";
import {
  isSameForAll,
  mayEnter,
  pagePathname,
  redirectFrom,
  redirectToLogin,
  secretOf,
  siteOrigin,
  type PageRequest,
} from "./page-request.server";
import { markReadOnly } from "./read-only.server";
import { openRequestState } from "./request-state.server";
import type { Session } from "./session.server";

type Arguments = { request: Request; context: AppLoadContext };

/** One request to a page: session, calls to the API and ways to answer, for its loader or action. */
export type Visit = {
  url: URL;
  session: Session;
  /** Secret of the mailed link that opened a contact page. Null without a link. */
  secret: string | null;
  /** Calls the API. A failure ends the page: 404, 400 or the error page. For loaders. */
  require: Api["call"];
  /** Reads from the API. The page shows a failure in its place, and the rest of the page stays. */
  find: <N extends EndpointName>(name: N, input: Input<N>) => Promise<ReadResult<Success<N>>>;
  /** Calls the API. The page handles the failure. */
  attempt: Api["attempt"];
  t: Translate;
  /** Title, description, canonical address, and what other sites show of the page, for `meta`. */
  describePage: (texts: PageTexts) => PageMeta;
  /** The public origin of the site, for addresses that leave it. */
  origin: string;
  /** A redirect that carries the session cookie. Throw or return it. */
  redirect: (to: string, init?: { status?: number }) => Promise<Response>;
  /**
   * Ends a page that does not exist. The log distinguishes a route that refused its address from an
   * address without a route.
   * @throws Response redirect if the address has moved, otherwise 404
   */
  throwNotFound: (reason?: MissingReason) => Promise<never>;
  /**
   * For a file, whose route answers 404 itself: nothing draws a page around its answer.
   * @throws Response redirect if the address has moved
   */
  throwIfMoved: () => Promise<void>;
  /**
   * Ends a request whose session is over. A posted form waits in the login page and can continue.
   * @throws Response redirect to the login page
   */
  throwToLogin: () => Promise<never>;
  /** Marks the answer as one with errors. `retryAfter` becomes the header `Retry-After`. */
  markFailed: (retryAfter?: number) => void;
  /**
   * Marks the page as one that shows, in place of what it is for, that this could not be read. It answers
   * 502 or 503, or 429 where a limit refused a read, and its title says so.
   * @returns `text`, and after a limit how long to wait
   */
  markUnread: (text?: string) => string;
  /** What is left of the time that the calls of this request share. */
  timeBudget: () => TimeBudget;
  /** Asks again whose session it is before the next call, with new time, in a request that lasts longer than a page's. */
  identifyAnew: () => void;
  /** Marks the page as one that lacks something, so that nobody keeps it. */
  markIncomplete: () => void;
  /** Makes this page answer the post: its loader must not redirect. */
  answerInPlace: () => void;
  answersInPlace: () => boolean;
  /**
   * Whether the script of an open page reads its data again. What is typed there is lost if the answer is
   * another page.
   */
  isReload: () => boolean;
  /**
   * Asks the API whether the session is still alive, and gives its claims. The cookie alone is no proof:
   * it may come from an answer that was under way while its session ended.
   */
  signedIn: (provider?: ProviderName) => Promise<ReadResult<TokenClaims>>;
  /**
   * Compares the owner mark of a form with the signed-in account. If they differ, the API is read only
   * for this request. A post without a mark comes from a script and is accepted.
   * @throws Response redirect to the login page, if the session has ended
   */
  checkOwner: (mark: string | null) => Promise<OtherOwner | null>;
  /** The result of `checkOwner`. */
  otherOwner: () => OtherOwner | null;
  /** Whether the form was made for somebody signed in, and nobody is signed in any more. */
  hasLostOwner: () => boolean;
};

/**
 * Opens a page for its loader or action. It checks the declaration, the sender of a post, the session
 * and the roles.
 * @throws Response redirect to the login path or to the address without its final slash; 403
 * for a post of another site; 400 for a query with too many parameters
 * @throws Error when a support route has no valid type, or the declaration has an unknown key
 */
export async function openVisit(args: Arguments, handle: PageHandle): Promise<Visit> {
  const { request, context } = args;
  checkGuards(handle);
  checkSupport(handle);
  if (isForeignWrite(request)) throw new Response(null, { status: 403 });
  const url = new URL(request.url);
  if (url.searchParams.size > QUERY_LIMITS.values) throw new Response(null, { status: 400 });
  const state = await openRequestState(context, request);
  if (request.method === "POST") state.posted = true;
  const page = { request, context, url, handle, state };
  if (handle.personal && !isSameForAll(page)) state.personal = true;
  if (handle.hydrate) state.hasForm = true;
  const plain = plainAddress(url);
  if (plain !== url.pathname + url.search) {
    if (!isRead(request)) throw new Response(null, { status: 404 });
    throw await redirectFrom(page, plain, { status: 301 });
  }
  if (!mayEnter(page)) throw await redirectToLogin(page);
  return createVisit(page);
}

function createVisit(page: PageRequest): Visit {
  const { url, state, handle } = page;
  const attempt = openPageApi(page);
  const origin = siteOrigin(url);
  const throwNotFound = (reason?: MissingReason) => leaveMissing(page, attempt, reason);
  return {
    url,
    session: state.session,
    secret: secretOf(page),
    require: async (name, input) => {
      const outcome = await attempt(name, input);
      if (outcome.ok) return outcome.value;
      return outcome.error.kind === "notFound" ? throwNotFound() : throwResponse(outcome.error);
    },
    find: async (name, input) => {
      const outcome = await attempt(name, input);
      if (outcome.ok) return found(outcome.value);
      const isMissing = outcome.error.kind === "notFound" || isUnknownCall(name, outcome.error);
      return isMissing ? NONE : FAILED;
    },
    attempt,
    t: translate,
    describePage: (texts) =>
      createPageMeta({
        ...texts,
        failed: state.failed,
        lite: preferencesOf(page.context, page.request).lite,
        url,
        origin,
        breadcrumb: handle.breadcrumb ? breadcrumbSteps(pagePathname(url), texts.title) : null,
      }),
    origin,
    redirect: (to, init) => redirectFrom(page, to, init),
    throwNotFound,
    throwIfMoved: () => leaveMoved(page, attempt),
    throwToLogin: async () => {
      state.session.disconnect(handle.provider);
      throw await redirectToLogin(page);
    },
    markFailed: (retryAfter) => {
      state.failed = true;
      state.retryAfter = retryAfter;
    },
    markUnread: (text = "") => {
      state.failed = true;
      state.unread = true;
      return unreadWords(text, state.readsRefused);
    },
    timeBudget: () => state.timeBudget,
    identifyAnew: () => {
      state.senders.clear();
      state.timeBudget = openTimeBudget();
    },
    markIncomplete: () => void (state.incomplete = true),
    answerInPlace: () => void (state.answersInPlace = true),
    answersInPlace: () => state.answersInPlace,
    isReload: () => page.request.headers.get("sec-fetch-dest") === "empty",
    signedIn: (provider = "default") => findSignedIn(page, provider),
    checkOwner: (mark) => checkOwner(page, mark),
    otherOwner: () => state.otherOwner,
    hasLostOwner: () => state.hasLostOwner,
  };
}

async function leaveMissing(
  page: PageRequest,
  attempt: Visit["attempt"],
  statusText: MissingReason = "Page Not Found",
): Promise<never> {
  await leaveMoved(page, attempt);
  page.state.missing = statusText;
  throw new Response(null, { status: 404, statusText });
}

async function leaveMoved(page: PageRequest, attempt: Visit["attempt"]): Promise<void> {
  const { request, url } = page;
  const moved = isRead(request) ? await findRedirection(attempt, url) : null;
  if (moved) throw await redirectFrom(page, moved.target, { status: moved.status });
}

async function checkOwner(page: PageRequest, mark: string | null): Promise<OtherOwner | null> {
  const { request, state } = page;
  if (mark === null || isMarkOf(mark, state.session.person())) return null;
  const madeFor = mark === pageMark(undefined) ? "stranger" : "somebody";
  const read = await findSignedIn(page, "default");
  if (read.kind === "none") {
    state.hasLostOwner = madeFor === "somebody";
    return null;
  }
  markReadOnly(request);
  state.otherOwner = { email: read.kind === "found" ? read.value.identifier : null, madeFor };
  return state.otherOwner;
}

/** A `HEAD` is answered as its `GET` is. */
const isRead = ({ method }: Request) => method === "GET" || method === "HEAD";

/** An unknown key may be a misspelt guard, which would let everybody in. */
function checkGuards(handle: PageHandle) {
  if (!Object.keys(handle).every(isDeclaration)) throw new Error("Unknown route middleware");
}

function checkSupport({ support, provider }: PageHandle) {
  if (provider !== "contact" && support === undefined) return;
  if (!supportType.safeParse(support).success) {
    throw new Error('The "support" configuration of this page is invalid');
  }
}

/**
 * The one spelling of an address: without final slash, and without the encoding of letters and digits. The
 * router reads `%77ithdrawal` like `withdrawal`, while pages, caches and search engines compare addresses.
 */
function plainAddress({ pathname, search }: URL): string {
  const path = pathname.replace(ENCODED, (code) => {
    const letter = decodeURIComponent(code);
    return UNRESERVED.test(letter) ? letter : code;
  });
  const isPlain = path === pathname && (path === "/" || !path.endsWith("/"));
  if (isPlain || path === "/") return path + search;
  // Two leading slashes would name another host.
  return `/${path.split("/").filter(Boolean).join("/")}${search}`;
}

const ENCODED = /%[2-7][0-9a-f]/gi;
/** RFC 3986, 2.3. */
const UNRESERVED = /^[\w.~-]$/;

/** Where the address has moved to. An API without this call has no redirections. */
async function findRedirection(attempt: Visit["attempt"], url: URL): Promise<Redirection | null> {
  const path = pagePathname(url);
  if (path.length > PATH_LENGTH) throw new Response(null, { status: 414 });
  const outcome = await attempt("getRedirection", { query: { path } });
  if (!outcome.ok)
    return isUnknownCall("getRedirection", outcome.error) ? null : throwResponse(outcome.error);
  const { payload } = outcome.value;
  // A redirect to the same address would loop for ever.
  return new URL(payload.target, url).pathname === path ? null : payload;
}
