import { accountExport } from "../accounts/export";
import { mailExport } from "../mail/export";
import { noticeExport } from "../notices/export";
import { subscriptionExport } from "../subscriptions/export";
import { supportExport } from "../support/export";
import type { ExportPart } from "../personal-data/export-part";

/** The export parts of all resources; `columns.ts` says which columns they must cover. */
export const parts: readonly ExportPart[] = [
  accountExport,
  subscriptionExport,
  noticeExport,
  mailExport,
  supportExport,
];
