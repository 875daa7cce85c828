import type { Database } from "../database/tables";
import { identifierKey } from "./identifier";

export async function findAccountByIdentifier(db: Database, identifier: string) {
  return db
    .selectFrom("account")
    .select(["uid", "identifier", "origin", "password_hash", "status"])
    .where("identifier_key", "=", identifierKey(identifier))
    .executeTakeFirst();
}

/** Finds the active account of a session that has not ended. */
export async function findAccountOfSession(db: Database, sessionUid: string) {
  return db
    .selectFrom("account_session")
    .innerJoin("account", "account.uid", "account_session.account_uid")
    .select(["account.uid", "account.identifier"])
    .select(["account_session.uid as session_uid", "account_session.last_seen_at"])
    .where("account_session.uid", "=", sessionUid)
    .where("account_session.ended_at", "is", null)
    .where("account.status", "=", "active")
    .executeTakeFirst();
}

/** Finds the password hash of an active account; null when it has no password. */
export async function findPasswordHash(db: Database, uid: string): Promise<string | null> {
  const account = await db
    .selectFrom("account")
    .select("password_hash")
    .where("uid", "=", uid)
    .where("status", "=", "active")
    .executeTakeFirst();
  return account?.password_hash ?? null;
}

/**
 * Records time and origin of a sign-in. Links in mails lead to this origin, whichever origin a later
 * request names.
 */
export async function recordSignIn(db: Database, uid: string, origin: string, now: Date) {
  const last_sign_in_at = now.toISOString();
  await db.updateTable("account").set({ origin, last_sign_in_at }).where("uid", "=", uid).execute();
}
