import type { Updateable } from "kysely";
import type { Database, Tables } from "../database/tables";
import { invalid } from "../http/refusal";
import { hashSecret } from "../ports/ids";

export type Notice = Tables["contract_notice"];

/** The same error for unknown, expired and used links, so that it tells nothing about a contract. */
export const badLink = () => invalid("token", "Unknown or expired link");

export async function findNotice(db: Database, uid: string) {
  return db
    .selectFrom("contract_notice")
    .selectAll()
    .where("uid", "=", uid)
    .executeTakeFirstOrThrow();
}

export async function findBySecret(db: Database, kind: Notice["kind"], secret: string) {
  return db
    .selectFrom("contract_notice")
    .selectAll()
    .where("kind", "=", kind)
    .where("undo_hash", "=", hashSecret(secret))
    .executeTakeFirst();
}

/** Finds notices that changed the contract and can still be undone by their link, oldest first. */
export async function findOpenNotices(db: Database, subscriptionUid: string, now: Date) {
  return db
    .selectFrom("contract_notice")
    .selectAll()
    .where("subscription_uid", "=", subscriptionUid)
    .where("undo_hash", "is not", null)
    .where("undone_at", "is", null)
    .where("confirmed_at", "is", null)
    .where("undo_until", ">", now.toISOString())
    .orderBy("received_at")
    .orderBy("uid")
    .execute();
}

export async function updateNotice(db: Database, uid: string, change: Updateable<Notice>) {
  await db.updateTable("contract_notice").set(change).where("uid", "=", uid).execute();
}
