import { redirect, redirectDocument, type AppLoadContext } from "@remix-run/node";
import { createApi, type Api, type Success } from "~/api/client";
import { asResponse } from "~/api/as-response";
import { clientAddressOf, clientAgentOf } from "~/api/client-address.server";
import { brokenStatus, isUnknownCall, type Failure } from "~/api/errors";
import { FAILED, found, NONE, type Found } from "~/api/found";
import type { Input } from "~/api/prepare";
import { doorFor } from "~/api/transport.server";
import { config } from "~/config.server";
import type { TokenClaims } from "~/contract/accounts";
import type { Redirection } from "~/contract/content";
import type { EndpointName } from "~/contract/endpoints";
import { PATH_LENGTH, QUERY_LIMITS } from "~/contract/limits";
import { supportType } from "~/contract/support";
import { pageOf, type PageMeta } from "~/i18n/page-meta.server";
import { translate } from "~/i18n/i18n.server";
import type { Translate } from "~/i18n/translate";
import { paths } from "~/paths";
import { logBrokenCall, type MissingReason } from "~/log.server";
import { isDeclaration, type PageHandle, type ProviderName } from "./access";
import { isForeignWrite } from "./foreign";
import { isMarkOf, otherOwnerKey, pageMark, type OtherOwner } from "./owner.server";
import { commitRedirects, stateOf, type RequestState } from "./request-state.server";
import { readOnly, readsOnly } from "./restoring.server";
import type { Session } from "./session.server";

type Arguments = { request: Request; context: AppLoadContext };

/** What a loader or action works with once its route's declaration let the visitor in. */
export type Visit = {
  url: URL;
  session: Session;
  /** Of the mailed link that opened a contact page; null without. */
  secret: string | null;
  /** A call whose failure is a page of its own: 404, 400, or the error page. For loaders. */
  read: Api["call"];
  /** A read whose failure is told in its part of the page; the rest of the page stands. */
  find: <N extends EndpointName>(name: N, input: Input<N>) => Promise<Found<Success<N>>>;
  /** A call whose failure the page words itself. */
  attempt: Api["attempt"];
  t: Translate;
  /** Title, description and canonical address, for `meta`. */
  page: (texts: { title: string; description?: string }) => PageMeta;
  /** Leaves for another address with the session written: `throw` or `return` it. */
  redirect: (to: string, init?: { status?: number }) => Promise<Response>;
  /**
   * Ends a page whose address leads to nothing; the log tells a route that refused what stands in its
   * address from an address without a route.
   * @throws Response redirect where the address has moved to, otherwise 404
   */
  leaveMissing: (reason?: MissingReason) => Promise<never>;
  /**
   * Ends a post whose sender's session is over: it waits at the login page, and can go on from there.
   * @throws Response redirect
   */
  leaveSignedOut: () => Promise<never>;
  /** Marks this answer as one with errors; limited visitors learn when to come back. */
  fail: (retryAfter?: number) => void;
  /** The page of this address answers the post: its loader must send nobody on. */
  stay: () => void;
  stays: () => boolean;
  /**
   * Who is signed in with the provider, asked of the API: a cookie alone may come from an answer that was
   * under way while its session ended.
   */
  signedIn: (provider?: ProviderName) => Promise<Found<TokenClaims>>;
  /**
   * Compares a form's mark with who is signed in; with another owner the API is read only. A post
   * without a mark is a script's. With nobody signed in the post goes on, or waits at the login page.
   * @throws Response redirect to the login page, when the session turns out to have ended
   */
  checkOwner: (mark: string | null) => Promise<OtherOwner | null>;
  /** What `checkOwner` found. */
  otherOwner: () => OtherOwner | null;
};

/**
 * Opens a page for its loader or action: checks the declaration, the sender, the session and the
 * roles.
 * @throws Response redirect to the login path, or to the address without its final slash; 403 for another site's post, 400 for a query
 * that no page of ours has
 * @throws Error when a support route has no valid type, or something unknown is declared
 */
export async function enter(args: Arguments, handle: PageHandle): Promise<Visit> {
  checkGuards(handle);
  checkSupport(handle);
  if (isForeignWrite(args.request)) throw new Response(null, { status: 403 });
  const { searchParams } = new URL(args.request.url);
  if (searchParams.size > QUERY_LIMITS.values) throw new Response(null, { status: 400 });
  const state = await stateOf(args.context, args.request);
  if (args.request.method === "POST") state.posted = true;
  if (handle.personal) state.personal = true;
  const visit = visitOf(args, handle, state);
  const plain = plainPath(visit.url);
  if (plain && args.request.method === "GET") throw await visit.redirect(plain, { status: 301 });
  if (!maySee(state.session, handle)) throw await toLogin(visit, handle, state);
  return visit;
}

function visitOf({ request, context }: Arguments, handle: PageHandle, state: RequestState): Visit {
  const url = new URL(request.url);
  const { session } = state;
  const leave: Visit["redirect"] = async (to, { status = 302 } = {}) => {
    // A form that goes on is sent again by the router, which it cannot when it loads a document.
    const response = status === 307 ? redirect(to, status) : redirectDocument(to, status);
    // What was sent is shown nowhere then: the next page tells that it was not carried out.
    if (state.otherOwner) session.flash({ type: "error", key: otherOwnerKey(state.otherOwner) });
    state.redirects.push(response.headers);
    await commitRedirects(state, request);
    return response;
  };
  const onUnauthorized = async (provider: ProviderName) => {
    // The page tells what became of its post, which may have ended the session.
    if (state.stays) return;
    session.disconnect(provider);
    if (handle.secured) throw await toLogin({ url, session, redirect: leave }, handle, state);
  };
  // A role may end at any time; whoever lost it is told why by the login page.
  const onForbidden = async () => {
    if (state.stays || maySee(session, handle)) return;
    throw await toLogin({ url, session, redirect: leave }, handle, state);
  };
  const onNextToken = (provider: ProviderName, token: string) => {
    session.connect(provider, token);
    return commitRedirects(state, request);
  };
  const secret = handle.provider === "contact" ? supportSecret(url) : null;
  const apiAs = (provider: ProviderName) => {
    const open = createApi({
      ...doorFor(siteOrigin(url)),
      clientAddress: clientAddressOf(context),
      clientAgent: clientAgentOf(request),
      bearer: () => (session.claims(provider) ? session.token(provider) : undefined),
      ...(secret && { supportAuthorization: `Contact ${secret}` }),
      onNextToken: (token) => onNextToken(provider, token),
      onUnauthorized: () => onUnauthorized(provider),
      onForbidden,
    });
    return readsOnly(open, request, () => leave(pathOf(url), { status: 303 }));
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
  const leaveMissing: Visit["leaveMissing"] = async (statusText = "Page Not Found") => {
    const moved = request.method === "GET" ? await findMove(api, url) : null;
    if (moved) throw await leave(moved.target, { status: moved.status });
    state.missing = statusText;
    throw new Response(null, { status: 404, statusText });
  };
  return {
    url,
    session,
    secret,
    read: async (name, input) => {
      const outcome = await attempt(name, input);
      if (outcome.ok) return outcome.value;
      return outcome.error.kind === "notFound" ? leaveMissing() : asResponse(outcome.error);
    },
    find: async (name, input) => {
      const outcome = await attempt(name, input);
      if (outcome.ok) return found(outcome.value);
      return outcome.error.kind === "notFound" ? NONE : FAILED;
    },
    attempt,
    t: translate,
    page: (texts) => pageOf({ ...texts, failed: state.failed, url, origin: siteOrigin(url) }),
    redirect: leave,
    leaveMissing,
    leaveSignedOut: async () => {
      session.disconnect(handle.provider);
      throw await toLogin({ url, session, redirect: leave }, handle, state);
    },
    fail: (retryAfter) => {
      state.failed = true;
      state.retryAfter = retryAfter;
    },
    stay: () => void (state.stays = true),
    stays: () => state.stays,
    signedIn,
    checkOwner: async (mark) => {
      if (mark === null || isMarkOf(mark, session.person())) return null;
      const read = await signedIn();
      if (read.kind === "none") return null;
      readOnly(request);
      state.otherOwner = {
        email: read.kind === "found" ? read.value.identifier : null,
        madeFor: mark === pageMark(undefined) ? "stranger" : "somebody",
      };
      return state.otherOwner;
    },
    otherOwner: () => state.otherOwner,
  };
}

/** Calls that an external API may lack: the site goes on without them. */
const OPTIONAL_CALLS: readonly EndpointName[] = ["getOffer"];

const isFault = (name: EndpointName, failure: Failure) =>
  brokenStatus(failure) !== null && !(OPTIONAL_CALLS.includes(name) && isUnknownCall(failure));

function maySee(session: Session, { secured, roles, provider }: PageHandle): boolean {
  if (!secured) return true;
  const claims = session.claims(provider);
  return !!claims && (roles.length === 0 || roles.some((role) => claims.acl[role]));
}

/** A guard that nobody knows, a misspelt one, would let everybody in. */
function checkGuards(handle: PageHandle) {
  if (!Object.keys(handle).every(isDeclaration)) throw new Error("Unknown route middleware");
}

function checkSupport({ support, provider }: PageHandle) {
  if (provider !== "contact" && support === undefined) return;
  if (!supportType.safeParse(support).success) {
    throw new Error('The "support" configuration of this page is invalid');
  }
}

/** The one address of a page that was asked for with a final slash; null where it has none. */
function plainPath({ pathname, search }: URL): string | null {
  if (pathname === "/" || !pathname.endsWith("/")) return null;
  // Two slashes in front would be another host.
  return `/${pathname.split("/").filter(Boolean).join("/")}${search}`;
}

/** The query parameter `t`, where it looks like a secret. */
function supportSecret({ searchParams }: URL): string | null {
  const t = searchParams.get("t") ?? "";
  return /^[\w-]{16,256}$/.test(t) ? t : null;
}

/** Where the address has moved to; an API without such a table knows of none. */
async function findMove(api: Api, url: URL): Promise<Redirection | null> {
  const path = plainPathname(url);
  if (path.length > PATH_LENGTH) throw new Response(null, { status: 414 });
  const outcome = await api.attempt("getRedirection", { query: { path } });
  if (!outcome.ok) return isUnknownCall(outcome.error) ? null : asResponse(outcome.error);
  const { payload } = outcome.value;
  // An address that moved to itself would be followed for ever.
  return new URL(payload.target, url).pathname === path ? null : payload;
}

type Leaving = Pick<Visit, "url" | "session" | "redirect">;

/** Whoever sent a form after their session or role ended takes it along: 307 has the browser send it again. */
function toLogin(
  { url, session, redirect }: Leaving,
  { provider, roles }: PageHandle,
  state: RequestState,
) {
  const carried = state.posted;
  const isDenied = carried && session.claims(provider) !== null;
  // That a subscription is needed the login page says by itself.
  const isOfTeam = session.claims(provider) && roles.includes("coach");
  const query = new URLSearchParams({
    returnTo: pathOf(url),
    ...(carried && { carried: "1" }),
    ...(isDenied && { denied: "1" }),
    ...(isOfTeam && { team: "1" }),
  });
  return redirect(`${paths.login()}?${query}`, { status: carried ? 307 : 302 });
}

/** The page's own address, also of its data. */
const pathOf = (url: URL) => plainPathname(url) + url.search;

const plainPathname = ({ pathname }: URL) => pathname.replace(/\.data$/, "");

/** Public origin of the site: configured, or the one the visitor used. */
export function siteOrigin(url: URL): string {
  return config().siteUrl?.replace(/\/$/, "") ?? url.origin;
}
