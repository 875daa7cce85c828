import type { SupportType } from "../../../app/contract/ticket-status";
import type { Database, Tables } from "../database/tables";
import { newUid } from "../ports/ids";
import type { Idempotency } from "./idempotency";
import { UNANSWERED } from "../../../app/contract/ticket-status";

type Row = Tables["ticket"];

/**
 * The author of a ticket: a contact with an e-mail, or the owner of an account. `postedBy`: the account that
 * is signed in while a contact writes.
 */
export type Author = {
  type: SupportType;
  name: string;
  email: string;
  emailKey: string;
  accountUid: string | null;
  postedBy: string | null;
};

type Begun = {
  title: string;
  birth: string | undefined;
  now: Date;
  origin: string;
  idempotency: Idempotency | undefined;
};

/** Inserts a ticket without messages; the first one follows in the same transaction. */
export async function insertEmptyTicket(db: Database, author: Author, begun: Begun): Promise<Row> {
  const row = rowOf(author, begun);
  return db.insertInto("ticket").values(row).returningAll().executeTakeFirstOrThrow();
}

function rowOf(author: Author, { title, birth, now, origin, idempotency }: Begun): Row {
  const at = now.toISOString();
  return {
    uid: newUid(),
    type: author.type,
    title,
    status: UNANSWERED,
    origin,
    name: author.name,
    email: author.email,
    email_key: author.emailKey,
    account_uid: author.accountUid,
    birth: birth ?? null,
    assignee_uid: null,
    version: 0,
    last_seq: 0,
    message_count: 0,
    last_coach_seq: 0,
    person_read_seq: 0,
    created_at: at,
    last_at: at,
    waiting_since: at,
    first_answered_at: null,
    closed_at: null,
    excerpt: "",
    creation_key: idempotency?.key ?? null,
    creation_digest: idempotency?.digest ?? null,
  };
}
