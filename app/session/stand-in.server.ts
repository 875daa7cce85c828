import type { AppLoadContext } from "@remix-run/node";
import { UnsecuredJWT } from "jose";
import { z } from "zod/v4";
import { roles } from "~/contract/accounts";
import { uid } from "~/contract/primitives";
import { pageMark } from "./owner.server";
import { Session } from "./session.server";

/**
 * Stands for all people with the same roles when one page is made for them. It has these roles and
 * favorites, and is no person: nothing personal can be on such a page.
 */
const standIn = z.object({ roles, favorites: z.array(uid) });
export type StandIn = z.infer<typeof standIn>;

/** No account has this uid: theirs are UUIDs. */
export const STAND_IN_UID = "stand-in";

/** Only the host makes load contexts, so that no request can name a stand-in. */
export const standInOf = ({ standIn: given }: AppLoadContext): StandIn | undefined =>
  given === undefined ? undefined : standIn.parse(given);

/** A session whose token nobody has signed: it decides what is shown, and opens nothing. */
export function standInSession({ roles: acl }: Pick<StandIn, "roles">): Session {
  const claims = { uid: STAND_IN_UID, identifier: "", acl };
  return new Session({ tokens: { default: new UnsecuredJWT(claims).encode() } });
}

/** The owner mark on a stand-in's pages. Each person gets the page with their own in its place. */
export const standInMark = () => pageMark(standInSession({ roles: {} }).person());
