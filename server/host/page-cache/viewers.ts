import { openSession } from "../../../app/session/cookie.server";
import { pageMark } from "../../../app/session/owner.server";
import type { Session } from "../../../app/session/session.server";
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

/** Who has others, or none, gets pages of their own. */
const KNOWN_ROLES: readonly string[] = ["coach", "vip"];

/**
 * The person whose session a request carries, if the session lives, its token holds what the database
 * says now, and the answer would not write the session. Null: the page is made for this request, which
 * then also renews or ends the session.
 * @param url of the request, or its origin
 */
export async function findViewer(
  url: string,
  cookies: string,
  people: People,
): Promise<Viewer | null> {
  const session = await openSession(url, cookies);
  const claims = session.claims();
  const token = session.token("default");
  if (!claims || token === undefined || !staysAsItIs(session)) return null;
  const authenticated = await authenticate(people, token);
  if (!authenticated || authenticated.nextToken !== undefined) return null;
  const { uid } = authenticated.principal;
  const roles = Object.keys(authenticated.principal.roles).sort();
  const isKnown = roles.length > 0 && roles.every((role) => KNOWN_ROLES.includes(role));
  return isKnown && uid === claims.uid ? { uid, roles, mark: pageMark(session.person()) } : null;
}

/** Showing a message empties the session of it. */
const staysAsItIs = ({ changed, data }: Session) => !changed && !data.flash?.length;

/** A database that does not answer fails the page as well, which says so to the person and to the log. */
const authenticate = ({ authenticate }: People, token: string) =>
  authenticate(token).catch(() => null);
