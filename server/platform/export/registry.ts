import { accountExport } from "../accounts/export";
import { mailExport } from "../mail/export";
import { noticeExport } from "../notices/export";
import { subscriptionExport } from "../subscriptions/export";
import { supportExport } from "../support/export";
import type { ExportPart } from "./part";

/** Each resource brings its own; what is given of which column stands in `columns.ts`. */
export const parts: readonly ExportPart[] = [
  accountExport,
  subscriptionExport,
  noticeExport,
  mailExport,
  supportExport,
];
