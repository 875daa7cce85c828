import type { ExportPart } from "../personal-data/export-part";
import { findMailsOf } from "./ownership";

export const mailExport: ExportPart = {
  tables: ["mail"],
  read: async (db, person, subjects) => {
    const mails = await findMailsOf(db, person, subjects);
    return {
      mails: mails.map(({ subject, created_at, sent_at }) => ({
        subject,
        createdDateTime: created_at,
        sentDateTime: sent_at,
      })),
    };
  },
};
