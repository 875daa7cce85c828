import { identifierKey } from "../accounts/identifier";
import type { Database } from "../database/tables";
import type { ExportPart, Person } from "../export/part";

export const noticeExport: ExportPart = {
  tables: ["contract_notice"],
  read: async (db, person) => ({ notices: await readNotices(db, person) }),
};

/** Of the person's contracts or e-mail, whoever sent them; another sender's name stays theirs. */
async function readNotices(db: Database, { uid, identifier }: Person) {
  const own = db.selectFrom("subscription").select("uid").where("account_uid", "=", uid);
  const rows = await db
    .selectFrom("contract_notice")
    .selectAll()
    .where((e) =>
      e.or([e("subscription_uid", "in", own), e("email_key", "=", identifierKey(identifier))]),
    )
    .orderBy("uid")
    .execute();
  return rows.map(({ name, email, ...row }) => ({
    ...{ receipt: row.uid, kind: row.kind, subscription: row.subscription_uid },
    ...(identifierKey(email) === identifierKey(identifier) && { name, email }),
    ...{ reference: row.reference, wishedDate: row.wished_date, site: row.origin },
    receivedDateTime: row.received_at,
    undoneDateTime: row.undone_at,
    confirmedDateTime: row.confirmed_at,
  }));
}
