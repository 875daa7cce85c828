import type { Database } from "../database/tables";
import { identifierKey } from "../accounts/identifier";
import type { Subscription } from "../subscriptions/life/store";
import type { Notice } from "./store";

/**
 * The contract a notice is about: the newest one of the e-mail, otherwise the one whose reference is
 * given. The name proves nothing and is not asked of subscribers: it is recorded, not compared.
 */
export async function findContract(
  db: Database,
  notice: Notice,
): Promise<Subscription | undefined> {
  const byEmail = await newest(db)
    .where("account.identifier_key", "=", identifierKey(notice.email))
    .executeTakeFirst();
  if (byEmail || !notice.reference) return byEmail;
  return newest(db).where("subscription.uid", "=", notice.reference.trim()).executeTakeFirst();
}

const newest = (db: Database) =>
  db
    .selectFrom("subscription")
    .innerJoin("account", "account.uid", "subscription.account_uid")
    .selectAll("subscription")
    .where("account.status", "!=", "deleted")
    .orderBy("subscription.started_at", "desc")
    .orderBy("subscription.uid", "desc");
