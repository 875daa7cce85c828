import { redirect, redirectDocument, type AppLoadContext } from "@remix-run/node";
import { createApi, type Api, type Success } from "~/api/client";
import { throwResponse } from "~/api/throw-response";
import { clientAddressOf, clientAgentOf } from "~/api/client-address.server";
import { brokenStatus, isUnknownCall, type Failure } from "~/api/errors";
import { FAILED, found, NONE, type ReadResult } from "~/api/read-result";
import type { Input } from "~/api/prepare";
import { apiFor } from "~/api/transport.server";
import { config } from "~/config.server";
import type { TokenClaims } from "~/contract/accounts";
import type { Redirection } from "~/contract/content";
import type { EndpointName } from "~/contract/endpoints";
import { PATH_LENGTH, QUERY_LIMITS } from "~/contract/limits";
import { supportType } from "~/contract/support";
import { createPageMeta, type PageMeta } from "~/i18n/page-meta.server";
import { translate } from "~/i18n/i18n.server";
import type { Translate } from "~/i18n/translate";
import { paths } from "~/paths";
import { logBrokenCall, type MissingReason } from "~/log.server";
import { isDeclaration, type PageHandle, type ProviderName } from "./page-handle";
import { isForeignWrite } from "./foreign";
import { isMarkOf, otherOwnerKey, pageMark, type OtherOwner } from "./owner.server";
import { commitRedirects, openRequestState, type RequestState } from "./request-state.server";
import { markReadOnly, restrictToReads } from "./read-only.server";
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
  /** Title, description and canonical address, for `meta`. */
  describePage: (texts: { title: string; description?: string }) => PageMeta;
  /** A redirect that carries the session cookie. Throw or return it. */
  redirect: (to: string, init?: { status?: number }) => Promise<Response>;
  /**
   * Ends a page that does not exist. The log distinguishes a route that refused its address from an
   * address without a route.
   * @throws Response redirect if the address has moved, otherwise 404
   */
  throwNotFound: (reason?: MissingReason) => Promise<never>;
  /**
   * Ends a request whose session is over. A posted form waits in the login page and can continue.
   * @throws Response redirect to the login page
   */
  throwToLogin: () => Promise<never>;
  /** Marks the answer as one with errors. `retryAfter` becomes the header `Retry-After`. */
  markFailed: (retryAfter?: number) => void;
  /** Makes this page answer the post: its loader must not redirect. */
  answerInPlace: () => void;
  answersInPlace: () => boolean;
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
};

/**
 * Opens a page for its loader or action. It checks the declaration, the sender of a post, the session
 * and the roles.
 * @throws Response redirect to the login path or to the address without its final slash; 403
 * for a post of another site; 400 for a query with too many parameters
 * @throws Error when a support route has no valid type, or the declaration has an unknown key
 */
export async function openVisit(args: Arguments, handle: PageHandle): Promise<Visit> {
  checkGuards(handle);
  checkSupport(handle);
  if (isForeignWrite(args.request)) throw new Response(null, { status: 403 });
  const { searchParams } = new URL(args.request.url);
  if (searchParams.size > QUERY_LIMITS.values) throw new Response(null, { status: 400 });
  const state = await openRequestState(args.context, args.request);
  if (args.request.method === "POST") state.posted = true;
  if (handle.personal) state.personal = true;
  const visit = visitOf(args, handle, state);
  const plain = pathWithoutSlash(visit.url);
  if (plain && args.request.method === "GET") throw await visit.redirect(plain, { status: 301 });
  if (!mayEnter(state.session, handle)) throw await redirectToLogin(visit, handle, state);
  return visit;
}

function visitOf({ request, context }: Arguments, handle: PageHandle, state: RequestState): Visit {
  const url = new URL(request.url);
  const { session } = state;
  const redirectTo: Visit["redirect"] = async (to, { status = 302 } = {}) => {
    // After a 307 the router must send the form again, which a document redirect would prevent.
    const response = status === 307 ? redirect(to, status) : redirectDocument(to, status);
    // The page of the form is not shown, so the next page says that nothing was carried out.
    if (state.otherOwner) session.flash({ type: "error", key: otherOwnerKey(state.otherOwner) });
    state.redirects.push(response.headers);
    await commitRedirects(state, request);
    return response;
  };
  const onUnauthorized = async (provider: ProviderName) => {
    // The page says what became of its post, which may have ended the session.
    if (state.answersInPlace) return;
    session.disconnect(provider);
    if (handle.secured)
      throw await redirectToLogin({ url, session, redirect: redirectTo }, handle, state);
  };
  // A role may end at any time. The login page then says why.
  const onForbidden = async () => {
    if (state.answersInPlace || mayEnter(session, handle)) return;
    throw await redirectToLogin({ url, session, redirect: redirectTo }, handle, state);
  };
  const onNextToken = (provider: ProviderName, token: string) => {
    session.connect(provider, token);
    return commitRedirects(state, request);
  };
  const secret = handle.provider === "contact" ? supportSecret(url) : null;
  const apiAs = (provider: ProviderName) => {
    const unrestricted = createApi({
      ...apiFor(siteOrigin(url)),
      clientAddress: clientAddressOf(context),
      clientAgent: clientAgentOf(request),
      bearer: () => (session.claims(provider) ? session.token(provider) : undefined),
      ...(secret && { supportAuthorization: `Contact ${secret}` }),
      onNextToken: (token) => onNextToken(provider, token),
      onUnauthorized: () => onUnauthorized(provider),
      onForbidden,
    });
    return restrictToReads(unrestricted, request, () =>
      redirectTo(pageAddress(url), { status: 303 }),
    );
  };
  const api = apiAs(handle.provider);
  const attemptAs =
    (by: Api): Api["attempt"] =>
    async (name, input) => {
      const outcome = await by.attempt(name, input);
      if (!outcome.ok && isFault(name, outcome.error)) logBrokenCall(outcome.error, url);
      return outcome;
    };
  const attempt = attemptAs(api);
  const signedIn: Visit["signedIn"] = async (provider = "default") => {
    const uid = session.claims(provider)?.uid;
    if (uid === undefined) return NONE;
    const outcome = await attemptAs(apiAs(provider))("getUser", { params: { uid } });
    const claims = session.claims(provider);
    if (!claims) return NONE;
    return outcome.ok ? found(claims) : FAILED;
  };
  const throwNotFound: Visit["throwNotFound"] = async (statusText = "Page Not Found") => {
    const moved = request.method === "GET" ? await findRedirection(api, url) : null;
    if (moved) throw await redirectTo(moved.target, { status: moved.status });
    state.missing = statusText;
    throw new Response(null, { status: 404, statusText });
  };
  return {
    url,
    session,
    secret,
    require: async (name, input) => {
      const outcome = await attempt(name, input);
      if (outcome.ok) return outcome.value;
      return outcome.error.kind === "notFound" ? throwNotFound() : throwResponse(outcome.error);
    },
    find: async (name, input) => {
      const outcome = await attempt(name, input);
      if (outcome.ok) return found(outcome.value);
      return outcome.error.kind === "notFound" ? NONE : FAILED;
    },
    attempt,
    t: translate,
    describePage: (texts) =>
      createPageMeta({ ...texts, failed: state.failed, url, origin: siteOrigin(url) }),
    redirect: redirectTo,
    throwNotFound,
    throwToLogin: async () => {
      session.disconnect(handle.provider);
      throw await redirectToLogin({ url, session, redirect: redirectTo }, handle, state);
    },
    markFailed: (retryAfter) => {
      state.failed = true;
      state.retryAfter = retryAfter;
    },
    answerInPlace: () => void (state.answersInPlace = true),
    answersInPlace: () => state.answersInPlace,
    signedIn,
    checkOwner: async (mark) => {
      if (mark === null || isMarkOf(mark, session.person())) return null;
      const read = await signedIn();
      if (read.kind === "none") return null;
      markReadOnly(request);
      state.otherOwner = {
        email: read.kind === "found" ? read.value.identifier : null,
        madeFor: mark === pageMark(undefined) ? "stranger" : "somebody",
      };
      return state.otherOwner;
    },
    otherOwner: () => state.otherOwner,
  };
}

/** Calls that an external API may lack. The site works without them. */
const OPTIONAL_CALLS: readonly EndpointName[] = ["getOffer"];

const isFault = (name: EndpointName, failure: Failure) =>
  brokenStatus(failure) !== null && !(OPTIONAL_CALLS.includes(name) && isUnknownCall(failure));

function mayEnter(session: Session, { secured, roles, provider }: PageHandle): boolean {
  if (!secured) return true;
  const claims = session.claims(provider);
  return !!claims && (roles.length === 0 || roles.some((role) => claims.acl[role]));
}

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

/** The address without its final slash. Null when there is none. */
function pathWithoutSlash({ pathname, search }: URL): string | null {
  if (pathname === "/" || !pathname.endsWith("/")) return null;
  // Two leading slashes would name another host.
  return `/${pathname.split("/").filter(Boolean).join("/")}${search}`;
}

/** The query parameter `t`, if it has the form of a secret. */
function supportSecret({ searchParams }: URL): string | null {
  const t = searchParams.get("t") ?? "";
  return /^[\w-]{16,256}$/.test(t) ? t : null;
}

/** Where the address has moved to. An API without this call has no redirections. */
async function findRedirection(api: Api, url: URL): Promise<Redirection | null> {
  const path = pagePathname(url);
  if (path.length > PATH_LENGTH) throw new Response(null, { status: 414 });
  const outcome = await api.attempt("getRedirection", { query: { path } });
  if (!outcome.ok) return isUnknownCall(outcome.error) ? null : throwResponse(outcome.error);
  const { payload } = outcome.value;
  // A redirect to the same address would loop for ever.
  return new URL(payload.target, url).pathname === path ? null : payload;
}

type Leaving = Pick<Visit, "url" | "session" | "redirect">;

/**
 * Redirects to the login page. After a post the session or role has ended meanwhile: a 307 makes the
 * browser send the form there again.
 */
function redirectToLogin(
  { url, session, redirect }: Leaving,
  { provider, roles }: PageHandle,
  state: RequestState,
) {
  const carried = state.posted;
  const isDenied = carried && session.claims(provider) !== null;
  // The login page explains a missing subscription by itself, but not a missing role `coach`.
  const needsCoach = session.claims(provider) && roles.includes("coach");
  const query = new URLSearchParams({
    returnTo: pageAddress(url),
    ...(carried && { carried: "1" }),
    ...(isDenied && { denied: "1" }),
    ...(needsCoach && { team: "1" }),
  });
  return redirect(`${paths.login()}?${query}`, { status: carried ? 307 : 302 });
}

/** Path and query of the page, also for a request of its data. */
const pageAddress = (url: URL) => pagePathname(url) + url.search;

const pagePathname = ({ pathname }: URL) => pathname.replace(/\.data$/, "");

/** Public origin of the site: configured, or the one the visitor used. */
export function siteOrigin(url: URL): string {
  return config().siteUrl?.replace(/\/$/, "") ?? url.origin;
}
