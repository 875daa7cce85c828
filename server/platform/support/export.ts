import type { Database, Tables } from "../database/tables";
import type { ExportPart } from "../personal-data/export-part";
import { trimmedOf } from "./ticket";

type MessageRow = Tables["ticket_message"];

/**
 * Exports the discussions, and what the account wrote in contact tickets while signed in. What coaches note about a person in discussions is personal data, too (RGPD, article 15);
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
    .select(["uid", "title", "status", "birth", "created_at"])
    .where("account_uid", "=", accountUid)
    .orderBy("created_at")
    .orderBy("uid")
    .execute();
  for (const { uid, title, status, birth, created_at } of tickets) {
    const messages = messagesOf(db, uid, (query) => query.where("internal", "=", 0));
    const notes = messagesOf(db, uid, (query) => query.where("internal", "=", 1));
    yield {
      uid,
      title,
      status,
      date: created_at,
      ...(birth !== null && { birth }),
      messages: map(messages, exported),
      notes: map(notes, ({ content, created_at }) => ({ date: created_at, content })),
    };
  }
}

/**
 * What the account wrote in contact tickets. One that it opened is given with its title and mailbox; of one that
 * somebody else opened, these and the name are not the account's. Anybody may register any e-mail: the answers, and what was
 * written with the mailed link alone, belong to whoever has the mailbox, who reads them by that link.
 */
async function* contactRequestsOf(db: Database, accountUid: string) {
  const posted = db
    .selectFrom("ticket_message")
    .select(["ticket_uid", (e) => e.fn.min("seq").as("first")])
    .where("posted_by", "=", accountUid)
    .groupBy("ticket_uid")
    .as("posted");
  const tickets = await db
    .selectFrom("ticket")
    .innerJoin(posted, "posted.ticket_uid", "ticket.uid")
    .select(["uid", "title", "status", "created_at", "email", "first"])
    .where("type", "=", "contact")
    .orderBy("created_at")
    .orderBy("uid")
    .execute();
  for (const { uid, title, status, created_at, email, first } of tickets) {
    const messages = messagesOf(db, uid, (query) =>
      query.where("internal", "=", 0).where("posted_by", "=", accountUid),
    );
    yield first === 1
      ? { uid, title, status, email, date: created_at, messages: map(messages, exported) }
      : { uid, messages: map(messages, withoutName) };
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

const exported = (row: MessageRow) => ({
  uid: row.uid,
  date: row.created_at,
  author: row.author,
  name: row.contact_name,
  content: row.content,
  ...trimmedOf(row),
});

/** The name was typed by whoever opened the ticket. */
const withoutName = (row: MessageRow) => {
  const { name: _, ...message } = exported(row);
  return message;
};
