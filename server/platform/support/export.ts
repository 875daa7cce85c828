import type { Database, Tables } from "../database/tables";
import type { ExportPart } from "../export/part";

type MessageRow = Tables["ticket_message"];

/** Exports the discussions with their messages, without internal notes. */
export const supportExport: ExportPart = {
  tables: ["ticket", "ticket_message"],
  read: async (db, { uid }) => ({ discussions: await discussionsOf(db, uid) }),
};

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
    discussions.push({ uid, title, status, date: created_at, messages: messages.map(exported) });
  }
  return discussions;
}

async function messagesOf(db: Database, ticketUid: string) {
  return db
    .selectFrom("ticket_message")
    .selectAll()
    .where("ticket_uid", "=", ticketUid)
    .where("internal", "=", 0)
    .orderBy("seq")
    .execute();
}

const exported = ({ uid, created_at, author, contact_name, content }: MessageRow) => ({
  uid,
  date: created_at,
  author,
  name: contact_name,
  content,
});
