import type { Database, Tables } from "../database/tables";
import type { ExportPart } from "../export/part";

type MessageRow = Tables["ticket_message"];

/**
 * Exports the discussions and the contact tickets that the account posted while signed in, with their
 * messages. What coaches note about a person in discussions is personal data, too (RGPD, article 15);
 * it is given without the coach's name. An account does not prove the mailbox of a contact ticket.
 */
export const supportExport: ExportPart = {
  tables: ["ticket", "ticket_message", "sensitive_consent"],
  read: async (db, { uid }) => ({
    discussions: discussionsOf(db, uid),
    contactRequests: contactRequestsOf(db, uid),
    sensitiveConsents: await consentsOf(db, uid),
  }),
};

/** Messages that are in memory at the same time. */
const BATCH = 50;

async function consentsOf(db: Database, accountUid: string) {
  const rows = await db
    .selectFrom("sensitive_consent")
    .selectAll()
    .where("account_uid", "=", accountUid)
    .orderBy("given_at")
    .orderBy("uid")
    .execute();
  return rows.map(({ version, text, given_at, taken_back_at }) => ({
    version,
    text,
    givenDateTime: given_at,
    takenBackDateTime: taken_back_at,
  }));
}

async function* discussionsOf(db: Database, accountUid: string) {
  const tickets = await db
    .selectFrom("ticket")
    .select(["uid", "title", "status", "created_at"])
    .where("account_uid", "=", accountUid)
    .orderBy("created_at")
    .orderBy("uid")
    .execute();
  for (const { uid, title, status, created_at } of tickets) {
    const messages = messagesOf(db, uid, (query) => query.where("internal", "=", 0));
    const notes = messagesOf(db, uid, (query) => query.where("internal", "=", 1));
    yield {
      uid,
      title,
      status,
      date: created_at,
      messages: map(messages, exported),
      notes: map(notes, ({ content, created_at }) => ({ date: created_at, content })),
    };
  }
}

/**
 * The contact tickets whose first message was posted by the account, with what the account wrote there.
 * Anybody may register any e-mail: the answers, and what was written with the mailed link, belong to whoever
 * has the mailbox, who reads them by that link.
 */
async function* contactRequestsOf(db: Database, accountUid: string) {
  const opened = db
    .selectFrom("ticket_message")
    .select("ticket_uid")
    .where("posted_by", "=", accountUid)
    .where("seq", "=", 1);
  const tickets = await db
    .selectFrom("ticket")
    .select(["uid", "title", "status", "created_at", "email"])
    .where("type", "=", "contact")
    .where("uid", "in", opened)
    .orderBy("created_at")
    .orderBy("uid")
    .execute();
  for (const { uid, title, status, created_at, email } of tickets) {
    const messages = messagesOf(db, uid, (query) =>
      query.where("internal", "=", 0).where("posted_by", "=", accountUid),
    );
    yield { uid, title, status, email, date: created_at, messages: map(messages, exported) };
  }
}

const selectMessages = (db: Database) => db.selectFrom("ticket_message").selectAll();
type Query = ReturnType<typeof selectMessages>;

/** Reads messages of a ticket in their order, a batch at a time. */
async function* messagesOf(db: Database, ticketUid: string, narrow: (query: Query) => Query) {
  let last = 0;
  for (;;) {
    const rows = await narrow(selectMessages(db))
      .where("ticket_uid", "=", ticketUid)
      .where("seq", ">", last)
      .orderBy("seq")
      .limit(BATCH)
      .execute();
    yield* rows;
    if (rows.length < BATCH) return;
    last = rows.at(-1)?.seq ?? last;
  }
}

async function* map<T, U>(items: AsyncIterable<T>, change: (item: T) => U) {
  for await (const item of items) yield change(item);
}

const exported = ({ uid, created_at, author, contact_name, content }: MessageRow) => ({
  uid,
  date: created_at,
  author,
  name: contact_name,
  content,
});
