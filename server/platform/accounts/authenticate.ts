import type { Roles } from "../../../app/contract/accounts";
import type { Authenticated } from "../http/types";
import { rolesOf } from "../subscriptions/roles";
import { recordSessionSeen } from "./sessions";
import { findAccountOfSession } from "./store";
import type { AccountContext } from "./context";

/** The token names the account; session, status and roles are read from the database on each call. */
export async function authenticateToken(
  context: AccountContext,
  token: string,
): Promise<Authenticated | null> {
  const { db, clock, tokens } = context;
  const claims = await tokens.verify(token);
  const account = claims && (await findAccountOfSession(db, claims.session));
  if (!account || account.uid !== claims.uid) return null;
  // Nobody waits for it: another process may be writing for seconds, and a later call records it as well.
  void recordSessionSeen(context, account).catch((error: unknown) =>
    context.log.info({ err: error }, "visit of a session not recorded"),
  );
  const { uid, identifier } = account;
  const roles = await rolesOf(db, uid, clock.now());
  const principal = { uid, identifier, roles, sessionUid: claims.session };
  if (sameRoles(roles, claims.acl) && !tokens.nearsEnd(claims)) return { principal };
  const renewed = { uid, identifier, acl: roles, session: claims.session };
  return { principal, nextToken: await tokens.sign(renewed) };
}

function sameRoles(some: Roles, others: Roles) {
  return Object.keys(some).sort().join() === Object.keys(others).sort().join();
}
