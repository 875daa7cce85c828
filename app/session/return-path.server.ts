import { config } from "~/config.server";
import { LATEST_MESSAGE } from "~/contract/latest-message";
import { paths, serverPaths } from "~/paths";
import { RETURN_PATH_LENGTH } from "./data";

/**
 * The path to return to after signing in, with its query. It lies in the secured zone, is no
 * prohibited route and never leaves this site. Null for anything else.
 */
export function safeReturnPath(wanted: string | null | undefined): string | null {
  const path = ownPath(wanted);
  if (path === null) return null;
  const [pathname = ""] = path.split("?");
  const { securedBases, prohibitedRoutes } = config();
  const inZone = securedBases.some((base) => isBelow(pathname, base));
  const prohibited = prohibitedRoutes.some((route) => isRoute(pathname, route));
  return inZone && !prohibited ? path : null;
}

/** The pages of a payment's result. The site itself leads back to them: no other page tells what was paid. */
const RESULT_PATHS = [false, true].flatMap((cashback) => [
  serverPaths.registrationResult("success", cashback),
  serverPaths.registrationResult("failure", cashback),
  serverPaths.paymentCallback({ cashback, success: false }),
]);

/** The path of a payment's result. Null for anything else. */
export const resultPath = (wanted: string | null | undefined): string | null =>
  RESULT_PATHS.find((path) => path === wanted) ?? null;

/** The path where an account pays, to which mails lead. Null for anything else. */
export const paymentPath = (wanted: string | null | undefined): string | null =>
  wanted === paths.registrationPayment() ? wanted : null;

/** Where the login page leads: to a payment or its result, or to a path that is safe to return to. */
export const loginReturnPath = (wanted: string | null | undefined): string | null =>
  resultPath(wanted) ?? paymentPath(wanted) ?? safeReturnPath(wanted);

const THREAD = /^\/(?:coaching|desk)\/[\w-]+$/;

/** Where a thread opens at its last message, as from a mail: what stands behind `#` never reaches the site. */
export const landingOf = (path: string) =>
  THREAD.test(path) && path !== paths.coachingNewDiscussion() ? `${path}#${LATEST_MESSAGE}` : path;

/** A path of this site, with its query. Null for anything else. */
export function ownPath(wanted: string | null | undefined): string | null {
  if (!wanted || wanted.length > RETURN_PATH_LENGTH || !isPlainPath(wanted)) return null;
  const url = parse(wanted);
  if (!url) return null;
  const path = `${url.pathname}${url.search}`;
  // Percent encoding may have made the path longer.
  return path.length <= RETURN_PATH_LENGTH ? path : null;
}

/**
 * Whether a path has one leading slash and no backslash, control or space character, encoded or
 * not.
 */
function isPlainPath(path: string): boolean {
  // eslint-disable-next-line no-control-regex
  const forbidden = /[\\\u0000-\u0020\u007f-\u00a0\u2028\u2029]|%(?:0[0-9a-f]|1[0-9a-f]|5c|7f)/i;
  return path.startsWith("/") && !/^\/(?:\/|%2f)/i.test(path) && !forbidden.test(path);
}

function parse(path: string): URL | null {
  const base = "http://same.invalid";
  if (!URL.canParse(path, base)) return null;
  const url = new URL(path, base);
  // Dot segments may resolve to `//host`, which a browser reads as another host.
  return url.origin === base && !url.pathname.startsWith("//") ? url : null;
}

function isBelow(path: string, base: string) {
  return path === base || path.startsWith(`${base}/`);
}

/** Whether a path belongs to a route name. `registration*` matches all that begin so. */
function isRoute(path: string, route: string) {
  const name = path.slice(1);
  return route.endsWith("*") ? name.startsWith(route.slice(0, -1)) : isBelow(name, route);
}
