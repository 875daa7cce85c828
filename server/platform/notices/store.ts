import type { SelectQueryBuilder, Updateable } from "kysely";
import type { Database, Tables } from "../database/tables";
import { invalid } from "../http/refusal";
import type { NamedNotice, NamedNotices } from "../mail/letters";
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
  return selectInEffect(db, subscriptionUid)
    .where("undo_hash", "is not", null)
    .where("settled_at", "is", null)
    .where("undo_until", ">", now.toISOString())
    .execute();
}

/**
 * Finds the notices that stop the contract now, also those whose link is out of date, and all open
 * withdrawals, oldest first.
 */
export async function findStops(db: Database, subscriptionUid: string, now: Date) {
  const moment = now.toISOString();
  return selectInEffect(db, subscriptionUid)
    .where((e) =>
      e.or([
        e("stops_at", "<=", moment),
        e.and([
          e("kind", "=", "withdrawal"),
          e("undo_hash", "is not", null),
          e("undo_until", ">", moment),
        ]),
      ]),
    )
    .execute();
}

/** The condition on the rows is that of the index, so that covered notices, which may be very many, are not read. */
const selectInEffect = (db: Database, subscriptionUid: string) =>
  db
    .selectFrom("contract_notice")
    .selectAll()
    .where("subscription_uid", "=", subscriptionUid)
    .where((e) => e.or([e("stops_at", "is not", null), e("undo_hash", "is not", null)]))
    .where("undone_at", "is", null)
    .orderBy("received_at")
    .orderBy("uid");

/**
 * Selects the notices that these cover. Their receipts have a place in the mailbox, which a repetition
 * without effect has not.
 */
export const selectCovered = (db: Database, covering: readonly string[]) =>
  db
    .selectFrom("contract_notice")
    .where("repeats_uid", "in", covering)
    .where("subscription_uid", "is not", null)
    .where("mail_slot", "is not", null);

/** The most notices that a mail names one by one. */
const MAX_NAMED = 50;

/** Reads the oldest of these notices as a mail names them, and counts the further ones. */
export async function readNamed(
  notices: SelectQueryBuilder<Tables, "contract_notice", object>,
): Promise<NamedNotices> {
  const named = await notices
    .select(["kind", "received_at", "wished_date"])
    .orderBy("received_at")
    .orderBy("uid")
    .limit(MAX_NAMED)
    .execute();
  const { count } = await notices
    .select((e) => e.fn.countAll().as("count"))
    .executeTakeFirstOrThrow();
  return {
    named: named.map(nameOf),
    further: Number(count) - named.length,
  };
}

/** The wished date of a withdrawal is the day that its letter bears. */
const nameOf = ({
  kind,
  received_at: receivedAt,
  wished_date: wishedDate,
}: Pick<Notice, "kind" | "received_at" | "wished_date">): NamedNotice =>
  kind === "cancellation" ? { kind, receivedAt, wishedDate } : { kind, receivedAt };

/** Tells whether it is a withdrawal that came by post or e-mail. Those sent to the site have a sender. */
export const isPosted = ({ kind, wished_date, sender_key }: Notice) =>
  kind === "withdrawal" && wished_date !== null && sender_key === null;

/** Tells whether the notice changed its contract; one that did not is linked to it all the same. */
export const hadEffect = ({ stops_at, undo_hash, settled_at }: Notice) =>
  stops_at !== null || undo_hash !== null || settled_at !== null;

export async function updateNotice(db: Database, uid: string, change: Updateable<Notice>) {
  await db.updateTable("contract_notice").set(change).where("uid", "=", uid).execute();
}
