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
    discussions: await discussionsOf(db, uid),
    contactRequests: await contactRequestsOf(db, uid),
    sensitiveConsents: await consentsOf(db, uid),
  }),
};

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

async function discussionsOf(db: Database, accountUid: string) {
  const tickets = await db
    .selectFrom("ticket")
    .selectAll()
    .where("account_uid", "=", accountUid)
    .orderBy("created_at")
    .orderBy("uid")
    .execute();
  const discussions = [];
  for (const { uid, title, status, created_at } of tickets) {
    const messages = await messagesOf(db, uid);
    const notes = await notesOf(db, uid);
    discussions.push({
      uid,
      title,
      status,
      date: created_at,
      messages: messages.map(exported),
      notes: notes.map(({ content, created_at }) => ({ date: created_at, content })),
    });
  }
  return discussions;
}

/**
 * The contact tickets whose first message was posted by the account, with what the account wrote there.
 * Anybody may register any e-mail: the answers, and what was written with the mailed link, belong to whoever
 * has the mailbox, who reads them by that link.
 */
async function contactRequestsOf(db: Database, accountUid: string) {
  const opened = db
    .selectFrom("ticket_message")
    .select("ticket_uid")
    .where("posted_by", "=", accountUid)
    .where("seq", "=", 1);
  const tickets = await db
    .selectFrom("ticket")
    .selectAll()
    .where("type", "=", "contact")
    .where("uid", "in", opened)
    .orderBy("created_at")
    .orderBy("uid")
    .execute();
  const requests = [];
  for (const { uid, title, status, created_at, email } of tickets) {
    const all = await messagesOf(db, uid);
    const messages = all.filter(({ posted_by }) => posted_by === accountUid);
    requests.push({
      uid,
      title,
      status,
      email,
      date: created_at,
      messages: messages.map(exported),
    });
  }
  return requests;
}

const messagesOf = (db: Database, ticketUid: string) =>
  selectWritten(db, ticketUid).where("internal", "=", 0).execute();

const notesOf = (db: Database, ticketUid: string) =>
  selectWritten(db, ticketUid).where("internal", "=", 1).execute();

const selectWritten = (db: Database, ticketUid: string) =>
  db.selectFrom("ticket_message").selectAll().where("ticket_uid", "=", ticketUid).orderBy("seq");

const exported = ({ uid, created_at, author, contact_name, content }: MessageRow) => ({
  uid,
  date: created_at,
  author,
  name: contact_name,
  content,
});
