import type { Kysely } from "kysely";
import type { AccountTables } from "./tables/accounts";
import type { BankTables, StripeTables } from "./tables/bank";
import type { ContentTables } from "./tables/content";
import type { MoneyTables } from "./tables/money";
import type { SupportTables } from "./tables/support";

/** Portable column types: text uids, ISO 8601 UTC text for times, integers for cents and booleans. */
export type Tables = ContentTables &
  AccountTables &
  MoneyTables &
  SupportTables &
  BankTables &
  StripeTables &
  SharedTables;

/** Tables that all resources use. */
type SharedTables = {
  setting: { name: string; value: string };
  /** Seed entries that this database has seen. */
  seed_entry: { name: string };
  /** Origins that the owner confirmed for links with secrets in mails, when SITE_URL is not set. */
  confirmed_origin: { origin: string; confirmed_at: string };
  /** Outbox: written in the transaction of its cause, sent by a job. */
  mail: {
    uid: string;
    /** Unique: one mail for one cause. */
    key: string | null;
    recipient: string;
    subject: string;
    text: string;
    html: string;
    created_at: string;
    sent_at: string | null;
    /** Address for replies, when it is not the sender's. */
    reply_to: string | null;
  };
  /** Events of the limits, counted per scope and subject in a window. */
  limited_event: { uid: string; scope: string; subject: string; at: string };
  /** Attempts to read an inbound mail, identified by the digest of its bytes. */
  mail_attempt: { uid: string; digest: string; process: string; at: string; failed: number };
  job: {
    uid: string;
    kind: string;
    /** Unique: the same job is enqueued once. */
    key: string | null;
    payload: string;
    run_at: string;
    attempts: number;
    lease_until: string | null;
    done_at: string | null;
    error: string | null;
  };
};

export type Database = Kysely<Tables>;
