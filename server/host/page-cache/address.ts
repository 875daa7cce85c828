import { SECRET_PARAMETER } from "../../../app/contract/mailed-link";
import {
  LITE_PARAMETER,
  nameOf,
  preferencesIn,
  type Preferences,
} from "../../../app/session/preferences.server";
import { SESSION_COOKIES } from "../../../app/session/cookie.server";

/** Longer addresses are made anew each time, so that nobody fills the cache with them. */
const MAX_QUERY_LENGTH = 256;

/** Whether there is a session cookie of either scheme, of any value: who has one may get another page. */
export const mayHaveSession = (cookies = "") =>
  cookies.split(";").some((cookie) => {
    const pair = cookie.trimStart();
    return SESSION_COOKIES.some((name) => pair.startsWith(`${name}=`));
  });

/**
 * The address under which a page is kept: with the parameters that it knows, sorted by name. Others
 * change nothing on the page. Null for an address that is not kept: with the secret of a mailed link, with a
 * wish for another version, or a long query.
 * @param target path and query, as the request line has them
 */
export function keptAddress(
  origin: string,
  target: string,
  isKnown: (parameter: string) => boolean,
): string | null {
  const start = target.indexOf("?");
  if (start === -1) return origin + target;
  const path = target.slice(0, start);
  if (target.length - start > MAX_QUERY_LENGTH) return null;
  const given = new URLSearchParams(target.slice(start));
  // The answer to what it asks for is a cookie.
  if (given.has(LITE_PARAMETER) || given.has(SECRET_PARAMETER)) return null;
  const known = new URLSearchParams([...given].filter(([name]) => isKnown(name)));
  known.sort();
  return known.size === 0 ? origin + path : `${origin}${path}?${known.toString()}`;
}

/** A page in one of its versions: for whom it is made, and the key under which it is kept. */
export type Version = { address: string; preferences: Preferences; key: string };

/** The version of a page for these headers. No address begins like the name of preferences. */
export function versionFor(
  address: string,
  headers: { cookies: string | undefined; saveData: string | undefined },
): Version {
  const { cookies = "", saveData } = headers;
  const preferences = preferencesIn({ cookies, saveData });
  const name = nameOf(preferences);
  return { address, preferences, key: name === "" ? address : `${name} ${address}` };
}
