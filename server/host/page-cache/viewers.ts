import { LRUCache } from "lru-cache";
import type { TokenClaims } from "../../../app/contract/accounts";
import { openSession } from "../../../app/session/cookie.server";
import { pageMark } from "../../../app/session/owner.server";
import { isCurrent } from "../../../app/session/providers";
import type { Platform } from "../../platform";

/** A signed-in person, as pages that are kept for roles know them. */
export type Viewer = {
  uid: string;
  /** Sorted names. */
  roles: readonly string[];
  /** The owner mark of the forms on their pages. */
  mark: string;
};

/** What the embedded platform knows of people. */
export type People = Pick<Platform, "authenticate" | "metadataOf">;

/** The opened cookies of one request that its answer would leave as they are. */
type Opened = { claims: TokenClaims; token: string; mark: string };

/** Shared pages are made for these roles. A person with other roles, or none, gets pages of their own. */
const KNOWN_ROLES: readonly string[] = ["coach", "vip"];

const MAX_OPENED = 2_000;
const OPENED_MS = 60_000;
/** Longer cookies are opened each time, so that nobody fills the memory with them. */
const MAX_COOKIES_LENGTH = 4_096;

/** @param people undefined while nobody knows them */
export function createViewers(people: () => People | undefined) {
  // The same cookies always open to the same session. What ends is the session itself, which the database
  // knows, and its token, whose expiry is compared each time.
  const known = new LRUCache<string, Opened>({ max: MAX_OPENED, ttl: OPENED_MS });
  const open = async (url: string, cookies: string): Promise<Opened | null> => {
    const key = `${url.startsWith("https:") ? "https" : "http"} ${cookies}`;
    const opened = known.get(key) ?? (await openUnchanged(url, cookies));
    const isNew = opened !== null && !known.has(key);
    if (isNew && cookies.length <= MAX_COOKIES_LENGTH) known.set(key, opened);
    return opened && isCurrent(opened.claims) ? opened : null;
  };
  /**
   * The person whose session a request carries, if the session lives, its token holds what the database
   * says now, and the answer would not write the session. Null: the page is made for this request, which
   * then also renews or ends the session.
   * @param url of the request, or its origin
   */
  const find = async (url: string, cookies: string): Promise<Viewer | null> => {
    const opened = await open(url, cookies);
    const authenticated = opened && (await authenticate(people(), opened.token));
    if (!authenticated || authenticated.nextToken !== undefined) return null;
    const { uid } = authenticated.principal;
    const roles = Object.keys(authenticated.principal.roles).sort();
    const isKnown = roles.length > 0 && roles.every((role) => KNOWN_ROLES.includes(role));
    return isKnown && uid === opened.claims.uid ? { uid, roles, mark: opened.mark } : null;
  };
  return { find };
}

/** Null for cookies without a session, and for a session that the answer would write. */
async function openUnchanged(url: string, cookies: string): Promise<Opened | null> {
  const session = await openSession(url, cookies);
  const claims = session.claims();
  const token = session.token("default");
  // A message is shown once: showing it takes it out of the session.
  const hasMessage = (session.data.flash?.length ?? 0) > 0;
  // The news of a registration is told once, too.
  const hasNews = session.data.signUp?.isTold === false;
  if (!claims || token === undefined || session.changed || hasMessage || hasNews) return null;
  return { claims, token, mark: pageMark(session.person()) };
}

/** A database that does not answer fails the page as well, which says so to the person and to the log. */
const authenticate = async (people: People | undefined, token: string) =>
  people ? people.authenticate(token).catch(() => null) : null;
