import type { Kysely } from "kysely";
import type { AccountTables } from "./tables/accounts";
import type { BankTables, StripeTables } from "./tables/bank";
import type { ContentTables } from "./tables/content";
import type { MoneyTables } from "./tables/money";
import type { SupportTables } from "./tables/support";

/** Portable subset: text uids, ISO-8601 UTC text for times, integers for cents and booleans. */
export type Tables = ContentTables &
  AccountTables &
  MoneyTables &
  SupportTables &
  BankTables &
  StripeTables &
  HouseTables;

/** What every part uses. */
type HouseTables = {
  setting: { name: string; value: string };
  /** Entries of the seeds that this database was offered. */
  seed_entry: { name: string };
  /** Where secrets in mails may lead, without SITE_URL: the owner said so. */
  confirmed_origin: { origin: string; confirmed_at: string };
  /** The outbox: written in the transaction of its cause, sent by a job. */
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
    /** Where replies go instead of to the sender. */
    reply_to: string | null;
  };
  /** Something that is limited happened: counted per scope and subject in a window. */
  limited_event: { uid: string; scope: string; subject: string; at: string };
  /** At reading a mail that comes in, which the digest of its bytes names. */
  mail_attempt: { uid: string; digest: string; process: string; at: string; failed: number };
  job: {
    uid: string;
    kind: string;
    /** Unique: the same work is enqueued once. */
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
