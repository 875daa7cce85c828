import { sql } from "kysely";
import type { ExportPart } from "../export/part";

export const mailExport: ExportPart = {
  tables: ["mail"],
  // Mails are stored by address; those older than the account were written to a former owner.
  read: async (db, { uid, identifier }) => {
    const since = db.selectFrom("account").select("created_at").where("uid", "=", uid);
    const mails = await db
      .selectFrom("mail")
      .select(["subject", "created_at as createdDateTime", "sent_at as sentDateTime"])
      .where(sql`lower(recipient)`, "=", identifier.toLowerCase())
      .where("created_at", ">=", since)
      .orderBy("created_at")
      .orderBy("uid")
      .execute();
    return { mails };
  },
};
