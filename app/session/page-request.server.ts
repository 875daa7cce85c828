import { redirect, redirectDocument, type AppLoadContext } from "@remix-run/node";
import { config } from "~/config.server";
import { SECRET_PARAMETER } from "~/contract/mailed-link";
import { paths } from "~/paths";
import { otherOwnerKey } from "./owner.server";
import type { PageHandle } from "./page-handle";
import { commitRedirects, type RequestState } from "./request-state.server";

/** One request to a page with its session, as its visit and its calls to the API need it. */
export type PageRequest = {
  request: Request;
  context: AppLoadContext;
  url: URL;
  handle: PageHandle;
  state: RequestState;
};

/** A redirect that carries the session cookie. */
export async function redirectFrom(
  { request, state }: PageRequest,
  to: string,
  { status = 302 }: { status?: number } = {},
): Promise<Response> {
  // After a 307 the router must send the form again, which a document redirect would prevent.
  const response = status === 307 ? redirect(to, status) : redirectDocument(to, status);
  const { otherOwner, session } = state;
  // The page of the form is not shown, so the next page says that nothing was carried out.
  if (otherOwner) session.flash({ type: "error", key: otherOwnerKey(otherOwner) });
  state.redirects.push(response.headers);
  await commitRedirects(state, request);
  return response;
}

/**
 * Redirects to the login page. After a post the session or role has ended meanwhile: a 307 makes the
 * browser send the form there again.
 */
export function redirectToLogin(page: PageRequest): Promise<Response> {
  const { url, handle, state } = page;
  const isSignedIn = state.session.claims(handle.provider) !== null;
  const carried = state.posted;
  const query = new URLSearchParams({
    returnTo: pageAddress(url),
    ...(carried && { carried: "1" }),
    ...(carried && isSignedIn && { denied: "1" }),
    // The login page explains a missing subscription by itself, but not a missing role `coach`.
    ...(isSignedIn && handle.roles.join() === "coach" && { team: "1" }),
  });
  return redirectFrom(page, `${paths.login()}?${query}`, { status: carried ? 307 : 302 });
}

/** Whether the session has what the page declares. */
export function mayEnter({ handle, state }: PageRequest): boolean {
  const { secured, roles, provider } = handle;
  if (!secured) return true;
  const claims = state.session.claims(provider);
  return !!claims && (roles.length === 0 || roles.some((role) => claims.acl[role]));
}

/** Secret of the mailed link that opened a contact page. */
export function secretOf({ handle, url }: PageRequest): string | null {
  if (handle.provider !== "contact") return null;
  const t = url.searchParams.get(SECRET_PARAMETER) ?? "";
  return /^[\w-]{16,256}$/.test(t) ? t : null;
}

/**
 * Whether everybody gets the same answer: a shared page, opened without a session or a mailed link.
 */
export const isSameForAll = (page: PageRequest) =>
  page.handle.shared !== false &&
  Object.keys(page.state.session.data).length === 0 &&
  secretOf(page) === null;

/** Path and query of the page, also for a request of its data. */
export const pageAddress = (url: URL) => pagePathname(url) + url.search;

export const pagePathname = ({ pathname }: URL) => pathname.replace(/\.data$/, "");

/** Public origin of the site: configured, or the one the visitor used. */
export function siteOrigin(url: URL): string {
  return config().siteUrl?.replace(/\/$/, "") ?? url.origin;
}
