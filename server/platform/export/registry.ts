import { accountExport } from "../accounts/export";
import type { Tables } from "../database/tables";
import { mailExport } from "../mail/export";
import { noticeExport } from "../notices/export";
import { subscriptionExport } from "../subscriptions/export";
import { supportExport } from "../support/export";
import type { ExportPart } from "./part";

/** Each resource brings its own. */
export const parts: readonly ExportPart[] = [
  accountExport,
  subscriptionExport,
  noticeExport,
  mailExport,
  supportExport,
];

/** Tables that name a person and are not exported, and why. */
export const excluded: Partial<Record<keyof Tables, string>> = {
  account_address: "keyed hashes: the addresses themselves are not held",
  password_reset: "hashes of secrets, gone after an hour",
  password_reset_request: "gone as soon as its job has run",
  address_release: "hashes of secrets, gone after a day",
  support_link_request: "gone as soon as its job has run",
  account_role: "of coaches: their name at work, which each of their answers shows",
  stripe_customer: "the provider's name of the person, which means nothing to them",
  bank_page: "of the sandbox bank, which stands for somebody else",
  bank_movement: "of the sandbox bank, which stands for somebody else",
};
