import type { Database } from "../database/tables";
import { identifierKey } from "./identifier";

export async function findAccountByIdentifier(db: Database, identifier: string) {
  return db
    .selectFrom("account")
    .select(["uid", "identifier", "password_hash", "status"])
    .where("identifier_key", "=", identifierKey(identifier))
    .executeTakeFirst();
}

/** The account behind a session that has not ended and may still sign in. */
export async function findAccountOfSession(db: Database, sessionUid: string) {
  return db
    .selectFrom("account_session")
    .innerJoin("account", "account.uid", "account_session.account_uid")
    .select(["account.uid", "account.identifier"])
    .where("account_session.uid", "=", sessionUid)
    .where("account_session.ended_at", "is", null)
    .where("account.status", "=", "active")
    .executeTakeFirst();
}
