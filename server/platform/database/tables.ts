import type { Kysely } from "kysely";

/** Portable subset: text uids, ISO-8601 UTC text for times, integers for cents and booleans. */
type Flag = 0 | 1;

export type Tables = {
  setting: { name: string; value: string };

  author: {
    uid: string;
    name: string;
    /** The name without accents and capitals: what lists are sorted by. */
    sort_name: string;
    role: string | null;
    biography: string;
    position: number;
  };
  category: { uid: string; name: string; description: string | null; position: number };
  tag: { uid: string; name: string; position: number };
  article: {
    uid: string;
    title: string;
    summary: string;
    date: string;
    author_uid: string;
    category_uid: string;
    restricted: Flag;
    /** HTML everybody may read. */
    opening: string;
    /** HTML for subscribers only; empty for open articles. */
    remainder: string;
    reading_minutes: number;
    menu: number;
  };
  article_tag: { article_uid: string; tag_uid: string; position: number };
  article_relation: { article_uid: string; related_uid: string; position: number };
  page: { uid: string; title: string; summary: string; date: string; body: string };
  media: {
    uid: string;
    title: string;
    mime_type: string;
    url: string;
    date: string;
    author_uid: string | null;
  };
  redirection: { path: string; target: string; status: 301 | 302 };
  /** The Markdown files as imported, for export; apart, so that no reader's query meets them. */
  content_source: {
    kind: "author" | "category" | "tag" | "article" | "page" | "media";
    uid: string;
    source: string;
  };

  account: {
    uid: string;
    identifier: string;
    /** Identifier as compared: trimmed, NFC, lower case. Unique. */
    identifier_key: string;
    password_hash: string | null;
    /** Of the form that made it: the same form sent again is no second registration. */
    registration_key: string | null;
    formula_uid: string;
    affiliation_token: string | null;
    affiliation_platform: string | null;
    /** deleted: nobody any more; the row stays for what the law keeps (payments). */
    status: "active" | "blocked" | "deleted";
    metadata: string;
    metadata_modified_at: string;
    created_at: string;
    /** The site its owner last used: links to a new password lead there. */
    origin: string | null;
  };
  account_session: {
    uid: string;
    account_uid: string;
    created_at: string;
    ended_at: string | null;
    /** Exact to a few minutes. */
    last_seen_at: string;
    /** The browser, as it names itself. */
    device: string | null;
  };
  /** Where an account was signed in to from: strangers' failures stop nobody there (R-10.12). */
  account_address: {
    /** Keyed hash of account and address together; the address itself is not kept. */
    address_key: string;
    account_uid: string;
    seen_at: string;
  };
  /** Somebody asked for a new password: gone as soon as it is known whose. */
  password_reset_request: {
    uid: string;
    identifier_key: string;
    origin: string;
    requested_at: string;
  };
  /** A mailed link to a new password; gone once one of the account's is used. */
  password_reset: {
    uid: string;
    account_uid: string;
    /** SHA-256 of the secret in the link. */
    secret_hash: string;
    created_at: string;
    expires_at: string;
  };

  formula: {
    uid: string;
    name: string;
    amount: number;
    trial_amount: number | null;
    credit_amount: number | null;
    trial_duration: number | null;
    trial_duration_unit: string | null;
    period_duration: number;
    period_duration_unit: string;
  };
  traffic_token: { value: string; formula_uid: string; is_valid: Flag };
  subscription: {
    uid: string;
    account_uid: string;
    formula_uid: string;
    payment_uid: string;
    amount: number;
    trial_amount: number | null;
    credits: number | null;
    card_reference: string | null;
    started_at: string;
    /** From then on the account has the role `vip`. */
    activates_at: string;
    expires_at: string;
    cancelled_at: string | null;
    ended_at: string | null;
    /** Start of the period that is paid; null before the first renewal: `started_at`. */
    period_start: string | null;
    /** Declined charges of the period that is due. */
    renewal_attempts: number;
    /** Access lasts until then while a renewal is unpaid; null once it is stopped. */
    grace_until: string | null;
    withdrawn_at: string | null;
    /** The site it was bought on: mails sent later link there. */
    origin: string | null;
    /** Start of the first full period: all later ones are counted from it. */
    anchor_at: string | null;
    /** The contract's own period: a formula that changes changes no contract. */
    period_duration: number | null;
    period_duration_unit: string | null;
  };
  payment: {
    uid: string;
    account_uid: string;
    formula_uid: string;
    traffic_token: string | null;
    kind: "first" | "renewal";
    amount: number;
    cashback: Flag;
    affiliation_token: string | null;
    affiliation_platform: string | null;
    idempotency_key: string | null;
    intent_digest: string | null;
    /** open: the person is at the bank's page; pending: the bank has not answered yet. */
    status: "open" | "pending" | "success" | "failure" | "cancelled";
    error_code: string | null;
    error_message: string | null;
    /** The bank's name for this payment and for the card, never the card. */
    gateway_reference: string | null;
    card_reference: string | null;
    /** First 6 and last 4 digits at most. */
    card_hint: string | null;
    created_at: string;
    settled_at: string | null;
    /** Renewals: whose, and the start of the period they pay for. */
    subscription_uid: string | null;
    period_start: string | null;
    /** Where the bank wants the person to confirm (3-D Secure). */
    /** The site it is made on: the subscription's, however late and by whom it is settled. */
    origin: string | null;
  };
  refund: {
    uid: string;
    /** One refund a payment. */
    payment_uid: string;
    amount: number;
    status: "pending" | "success" | "failure";
    created_at: string;
    settled_at: string | null;
  };
  /** Cancellations and withdrawals notified by anybody. */
  contract_notice: {
    uid: string;
    kind: "cancellation" | "withdrawal";
    name: string;
    email: string;
    reference: string | null;
    wished_date: string | null;
    received_at: string;
    subscription_uid: string | null;
    /** Secret of the mailed link, hashed: undoes a cancellation, confirms a withdrawal. */
    undo_hash: string | null;
    undo_until: string | null;
    undone_at: string | null;
    /** Withdrawals: when it took effect. */
    confirmed_at: string | null;
    /** The site it was sent on. */
    origin: string | null;
  };

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

  ticket: {
    uid: string;
    type: "contact" | "coaching";
    title: string;
    status: "new" | "pending" | "waiting" | "closed" | "locked";
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
  support_link_request: { uid: string; email: string; origin: string };
  /** What tickets are found by: words in lower case, without accents. */
  ticket_word: { word: string; ticket_uid: string };
  /** Kept in the transactions that change tickets. */
  ticket_count: {
    type: Tables["ticket"]["type"];
    status: Tables["ticket"]["status"];
    count: number;
  };
  /** Roles that somebody gave; `vip` is paid for. `name`: as people see it. */
  account_role: { account_uid: string; role: "coach"; name: string; granted_at: string };

  bank_page: {
    uid: string;
    /** SHA-256 of the secret in the page's address. */
    secret_hash: string;
    /** The merchant's payment: one page each. */
    payment_uid: string;
    merchant: string;
    email: string;
    amount: number;
    description: string;
    return_url: string;
    status: "open" | "challenge" | "pending" | "paid" | "declined" | "cancelled" | "expired";
    /** What the card will do once the challenge is passed or the wait is over. */
    outcome: "success" | "declined" | null;
    error_code: string | null;
    card_reference: string | null;
    card_hint: string | null;
    created_at: string;
    expires_at: string;
    settled_at: string | null;
  };
  /** A card that paid: what the bank remembers of it, under a random name. */
  bank_card: {
    reference: string;
    hint: string;
    /** What its next charge will do. */
    next_charge: "success" | "declined";
    created_at: string;
  };
  /** The sandbox bank's ledger: every movement of money, once (unique per reference and kind). */
  bank_movement: {
    uid: string;
    reference: string;
    at: string;
    email: string;
    kind: "charge" | "refund";
    amount: number;
    currency: "EUR";
    status: "success" | "declined";
  };

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
