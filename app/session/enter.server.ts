import { redirectDocument, type AppLoadContext } from "@remix-run/node";
import { createApi, type Api } from "~/api/client";
import { asResponse } from "~/api/as-response";
import { clientAddressOf, clientAgentOf } from "~/api/client-address.server";
import { doorFor } from "~/api/transport.server";
import { config } from "~/config.server";
import { supportType } from "~/contract/support";
import { pageOf, type PageMeta } from "~/i18n/page-meta.server";
import { translate } from "~/i18n/i18n.server";
import type { Translate } from "~/i18n/translate";
import type { PageHandle } from "./access";
import { commitRedirects, stateOf, type RequestState } from "./request-state.server";
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
  /** A call whose failure the page words itself. */
  attempt: Api["attempt"];
  t: Translate;
  /** Title, description and canonical address, for `meta`. */
  page: (texts: { title: string; description?: string }) => PageMeta;
  /** Leaves for another address with the session written: `throw` or `return` it. */
  redirect: (to: string, init?: { status?: number }) => Promise<Response>;
  /** Marks this answer as one with errors; limited visitors learn when to come back. */
  fail: (retryAfter?: number) => void;
};

/**
 * Opens a page for its loader or action: checks the declaration, the session and the roles.
 * @throws Response redirect to the login path
 * @throws Error when a support route has no valid type
 */
export async function enter(args: Arguments, handle: PageHandle): Promise<Visit> {
  checkSupport(handle);
  const state = await stateOf(args.context, args.request);
  const visit = visitOf(args, handle, state);
  if (!maySee(state.session, handle)) throw await visit.redirect(loginFor(visit.url));
  return visit;
}

function visitOf({ request, context }: Arguments, handle: PageHandle, state: RequestState): Visit {
  const url = new URL(request.url);
  const { session } = state;
  const redirect: Visit["redirect"] = async (to, { status = 302 } = {}) => {
    const response = redirectDocument(to, status);
    state.redirects.push(response.headers);
    await commitRedirects(state, request);
    return response;
  };
  const onUnauthorized = async () => {
    session.disconnect(handle.provider);
    if (handle.secured) throw await redirect(loginFor(url));
  };
  const onNextToken = (token: string) => {
    session.connect(handle.provider, token);
    return commitRedirects(state, request);
  };
  const secret = handle.provider === "contact" ? supportSecret(url) : null;
  const api = createApi({
    ...doorFor(siteOrigin(url)),
    clientAddress: clientAddressOf(context),
    clientAgent: clientAgentOf(request),
    bearer: () => (session.claims(handle.provider) ? session.token(handle.provider) : undefined),
    ...(secret && { supportAuthorization: `Contact ${secret}` }),
    onNextToken,
    onUnauthorized,
  });
  return {
    url,
    session,
    secret,
    read: (name, input) => api.call(name, input).catch((error) => asResponse(error, url.pathname)),
    attempt: api.attempt,
    t: translate,
    page: (texts) => pageOf({ ...texts, failed: state.failed, url, origin: siteOrigin(url) }),
    redirect,
    fail: (retryAfter) => {
      state.failed = true;
      state.retryAfter = retryAfter;
    },
  };
}

function maySee(session: Session, { secured, roles, provider }: PageHandle): boolean {
  if (!secured) return true;
  const claims = session.claims(provider);
  return !!claims && (roles.length === 0 || roles.some((role) => claims.acl[role]));
}

function checkSupport({ support, provider }: PageHandle) {
  if (provider !== "contact" && support === undefined) return;
  if (!supportType.safeParse(support).success) {
    throw new Error('The "support" configuration of this page is invalid');
  }
}

/** The query parameter `t`, where it looks like a secret. */
function supportSecret({ searchParams }: URL): string | null {
  const t = searchParams.get("t") ?? "";
  return /^[\w-]{16,256}$/.test(t) ? t : null;
}

function loginFor({ pathname, search }: URL): string {
  const query = new URLSearchParams({ returnTo: pathname.replace(/\.data$/, "") + search });
  return `${config().loginPath}?${query}`;
}

/** Public origin of the site: configured, or the one the visitor used. */
function siteOrigin(url: URL): string {
  return config().siteUrl?.replace(/\/$/, "") ?? url.origin;
}
