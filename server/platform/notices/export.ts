import type { Database } from "../database/tables";
import type { ExportPart, Person } from "../personal-data/export-part";
import type { KeyedSubjects } from "../limits/subject";
import { contractOfNotice, selectNoticesAbout } from "../subscriptions/pending-notices";

export const noticeExport: ExportPart = {
  tables: ["contract_notice"],
  read: async (db, person, subjects) => ({ notices: await readNotices(db, person, subjects) }),
};

/**
 * Reads the notices about the person's contracts and those that the person sent while signed in.
 * Data of other senders and of other people's contracts is left out. The e-mail of a notice is not
 * used: anybody may have typed it.
 */
async function readNotices(db: Database, { uid }: Person, subjects: KeyedSubjects) {
  const contracts = db.selectFrom("subscription").select("uid").where("account_uid", "=", uid);
  const own = new Set((await contracts.execute()).map((contract) => contract.uid));
  const keys = subjects.all("notice", `account ${uid}`);
  const sent = db.selectFrom("contract_notice").select("uid").where("sender_key", "in", keys);
  const rows = await db
    .selectFrom("contract_notice")
    .selectAll()
    .select(contractOfNotice.as("contract"))
    .where("uid", "in", selectNoticesAbout(db, contracts).unionAll(sent))
    .orderBy("uid")
    .execute();
  return rows.map(({ name, email, reference, contract, ...row }) => ({
    receipt: row.uid,
    kind: row.kind,
    [row.kind === "withdrawal" ? "declaredDate" : "wishedDate"]: row.wished_date,
    site: row.origin,
    ...(keys.includes(row.sender_key ?? "") && { name, email, reference }),
    receivedDateTime: row.received_at,
    ...(contract !== null &&
      own.has(contract) && {
        subscription: contract,
        undoneDateTime: row.undone_at,
        confirmedDateTime: row.confirmed_at,
        settledDateTime: row.settled_at,
      }),
  }));
}
