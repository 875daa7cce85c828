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
    /** E-mail as compared. */
    email_key: string;
    /** Coaching only: an e-mail that somebody typed opens no account's discussions, nor vice versa. */
    account_uid: string | null;
    assignee_uid: string | null;
    /** Counted up by every change: of two coaches who saw the same one, the second is told. */
    version: number;
    /** Of the last message or note. */
    last_seq: number;
    /** Without notes, like all below. */
    message_count: number;
    last_coach_seq: number;
    person_read_seq: number;
    last_at: string;
    excerpt: string;
    /** Since when a coach owes an answer. */
    waiting_since: string | null;
    closed_at: string | null;
    /** The site it was written on: mails lead there. */
    origin: string | null;
    creation_key: string | null;
    creation_digest: string | null;
    created_at: string;
  };
  ticket_message: {
    uid: string;
    ticket_uid: string;
    /** From 1, without gaps, given by the ticket's row: the order of the thread. */
    seq: number;
    author: "person" | "coach";
    contact_uid: string;
    contact_name: string;
    content: string;
    /** A note that only coaches see. */
    internal: Flag;
    /** Of the form that sent it, and what it said: the same sent again is the same message. */
    key: string | null;
    digest: string | null;
    /** Of the mail it came by. */
    mail_message_id: string | null;
    created_at: string;
  };
  /** Mailed secrets that open the contact tickets of an e-mail, hashed. */
  support_link: {
    uid: string;
    email_key: string;
    secret_hash: string;
    created_at: string;
    expires_at: string;
    revoked_at: string | null;
  };
  /** Asked for, not looked up yet; gone once it is. */
  support_link_request: { uid: string; email: string; origin: string; requested_at: string };
  /** What tickets are found by: words in lower case, without accents. */
  ticket_word: { word: string; ticket_uid: string };
  /** Kept in the transactions that change tickets. */
  ticket_count: {
    type: SupportType;
    status: TicketStatus;
    count: number;
  };
};
