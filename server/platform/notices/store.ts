import type { Updateable } from "kysely";
import type { Database, Tables } from "../database/tables";
import { invalid } from "../http/refusal";
import { hashSecret } from "../ports/ids";

export type Notice = Tables["contract_notice"];

/** The same for unknown, old and used up: a link says nothing about a contract. */
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

/** Notices that changed a contract and may still be undone by a link, oldest first. */
export async function findOpen(db: Database, subscriptionUid: string, now: Date) {
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
