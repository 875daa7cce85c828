import { sql } from "kysely";
import type { ExportPart } from "../export/part";

export const mailExport: ExportPart = {
  tables: ["mail"],
  read: async (db, { identifier }) => {
    const mails = await db
      .selectFrom("mail")
      .select(["subject", "created_at as createdDateTime", "sent_at as sentDateTime"])
      .where(sql`lower(recipient)`, "=", identifier.toLowerCase())
      .orderBy("created_at")
      .orderBy("uid")
      .execute();
    return { mails };
  },
};
