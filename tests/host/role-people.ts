import type { SessionData } from "~/session/data";
import { seal } from "~/session/seal.server";
import { pageMark } from "~/session/owner.server";
import { Session } from "~/session/session.server";
import { createTokens } from "../../server/platform/accounts/tokens";
import type { Database } from "../../server/platform/database/tables";
import { systemClock } from "../../server/platform/ports/clock";
import type { Visitor } from "../support/pages";
import { newEmail, subscribe } from "../support/people";

export const SECRET = "a-secret-for-tests-only-long-enough";

const DAY = 24 * 3600;
const OVER = "2020-01-01T00:00:00.000Z";

export type RoleName = "vip" | "coach";

/** An account whose rights a test gives and takes as another process would: in the database. */
export type Account = {
  uid: string;
  mark: string;
  session: string;
  identifier: string;
  /** Gives these roles and takes the others. */
  setRoles(roles: readonly RoleName[]): Promise<void>;
  setAlive(isAlive: boolean): Promise<void>;
  setFavorites(articles: readonly string[]): Promise<void>;
  /** A token as the platform signs it. */
  token(roles: readonly RoleName[]): Promise<string>;
  /** A session cookie with such a token. */
  cookie(roles: readonly RoleName[], more?: SessionData): Promise<string>;
};

/** Registers and pays, and leaves the account with its session. */
export async function newAccount(db: Database, visitor: Visitor): Promise<Account> {
  const identifier = newEmail("roles");
  await subscribe(visitor, identifier);
  const { uid, session } = await db
    .selectFrom("account")
    .innerJoin("account_session", "account_session.account_uid", "account.uid")
    .select(["account.uid", "account_session.uid as session"])
    .where("identifier", "=", identifier)
    .executeTakeFirstOrThrow();
  const tokens = createTokens([SECRET], systemClock);
  const token = (roles: readonly RoleName[]) =>
    tokens.sign({ uid, identifier, acl: aclOf(roles), session });
  const person = new Session({ tokens: { default: await token([]) } }).person();
  return {
    uid,
    identifier,
    session,
    mark: pageMark(person),
    setRoles: (roles) => setRoles(db, uid, roles),
    async setAlive(isAlive) {
      const ended_at = isAlive ? null : OVER;
      await db
        .updateTable("account_session")
        .set({ ended_at })
        .where("uid", "=", session)
        .execute();
    },
    async setFavorites(favorites) {
      const metadata = JSON.stringify({ profile: { favorites } });
      await db.updateTable("account").set({ metadata }).where("uid", "=", uid).execute();
    },
    token,
    cookie: async (roles, more) =>
      cookieOf({ tokens: { default: await token(roles) }, ...(person && { person }), ...more }),
  };
}

export const cookieOf = async (data: SessionData, secret = SECRET) =>
  `cap_session=${await seal(data, [secret], DAY)}`;

const aclOf = (roles: readonly RoleName[]) =>
  Object.fromEntries(roles.map((role) => [role, true as const]));

async function setRoles(db: Database, account_uid: string, roles: readonly RoleName[]) {
  const ended_at = roles.includes("vip") ? null : OVER;
  await db
    .updateTable("subscription")
    .set({ ended_at })
    .where("account_uid", "=", account_uid)
    .execute();
  await db.deleteFrom("account_role").where("account_uid", "=", account_uid).execute();
  if (!roles.includes("coach")) return;
  await db
    .insertInto("account_role")
    .values({ account_uid, role: "coach", name: "Solène", granted_at: OVER })
    .execute();
}
