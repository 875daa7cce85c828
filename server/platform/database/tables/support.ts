import type { SupportType, TicketStatus } from "../../../../app/contract/ticket-status";
import type { Flag } from "./flag";

export type SupportTables = {
  ticket: {
    uid: string;
    type: SupportType;
    title: string;
    status: TicketStatus;
    name: string;
    email: string;
    /** E-mail for comparison. */
    email_key: string;
    /** Only for coaching. Contact tickets belong to a typed e-mail, which does not prove an account. */
    account_uid: string | null;
    /** Coaching only: date, hour and place of birth, in the words of the person. */
    birth: string | null;
    assignee_uid: string | null;
    /** Incremented by every change, to refuse a change made on an older version. */
    version: number;
    /** `seq` of the last message or note. */
    last_seq: number;
    /** Without internal notes, like the fields below. */
    message_count: number;
    last_coach_seq: number;
    person_read_seq: number;
    last_at: string;
    excerpt: string;
    /** Time since which the person waits for a coach. */
    waiting_since: string | null;
    /** Time of the first answer of a coach. */
    first_answered_at: string | null;
    closed_at: string | null;
    /** Origin where it was opened: mails link there. */
    origin: string | null;
    creation_key: string | null;
    creation_digest: string | null;
    created_at: string;
  };
  ticket_message: {
    uid: string;
    ticket_uid: string;
    /** Order in the thread: from 1, without gaps, assigned under the lock of the ticket. */
    seq: number;
    author: "person" | "coach";
    contact_uid: string;
    contact_name: string;
    content: string;
    /** 1 for a note that only coaches see. */
    internal: Flag;
    /** Idempotency key and content hash, to recognise a repeated request. */
    key: string | null;
    digest: string | null;
    /** Message-ID of the mail that it came from. */
    mail_message_id: string | null;
    /** What was cut from the mail that it came from. */
    trimmed: string | null;
    /** 1 when that was longer, and only its beginning is kept. */
    trimmed_short: Flag | null;
    /** Contact only: the account that was signed in when it was posted. It proves no mailbox. */
    posted_by: string | null;
    created_at: string;
  };
  /** Hashes of mailed secrets that open the contact tickets of an e-mail. */
  support_link: {
    uid: string;
    email_key: string;
    secret_hash: string;
    created_at: string;
    expires_at: string;
    revoked_at: string | null;
  };
  /** Requested contact links; deleted when their job looks up the e-mail. */
  support_link_request: { uid: string; email: string; origin: string; requested_at: string };
  /** Search index of the tickets: words in lower case, without accents. */
  ticket_word: { word: string; ticket_uid: string };
  /** Consents to the handling of sensitive information in discussions; one stands at most. */
  sensitive_consent: {
    uid: string;
    account_uid: string;
    /** Digest of `text`. */
    version: string;
    /** The words that were shown beside the box. */
    text: string;
    given_at: string;
    taken_back_at: string | null;
  };
  /** Numbers of tickets, updated in the transactions that change tickets. */
  ticket_count: {
    type: SupportType;
    status: TicketStatus;
    count: number;
  };
};
