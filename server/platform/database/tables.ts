import type { Generated, Kysely } from "kysely";
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
  /**
   * Seed entries that this database has seen. The digests are of pages only, as SHA-256 of their file.
   * `seeded`: the release's text that was written; `offered`: what the newest release says; `compared`:
   * what it said when the owner imported theirs.
   */
  seed_entry: {
    name: string;
    seeded: string | null;
    offered: string | null;
    compared: string | null;
  };
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
    /** When it was written, or is to be sent first where that is later. */
    created_at: string;
    sent_at: string | null;
    /** Address for replies, when it is not the sender's. */
    reply_to: string | null;
    /** How often a mail server took it without saying in time that it did. */
    unanswered: Generated<number>;
    /** When it was given up: it is not tried again, and its text is gone. */
    given_up_at: string | null;
    /** When the server refused it for good; null where only the retries ran out. */
    refused_at: string | null;
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
