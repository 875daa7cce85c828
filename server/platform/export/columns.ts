import type { Tables } from "../database/tables";
import type { ContentTables } from "../database/tables/content";

/**
 * What happens to a column with personal data. `exported`: true when the person's export has it,
 * otherwise the reason why not. `erased`: true when it is erased with the account, otherwise the
 * reason why it stays.
 */
export type Fate = { exported: true | string; erased: true | string };

/** Columns that tell nothing about anybody, whatever the table: what else a new table has is about people. */
type ImpersonalColumn =
  | ("uid" | "id" | "at" | `${string}_at` | "lease_until")
  | ("kind" | "type" | "status" | "scope" | "count" | "attempts" | "failed");

/** What else stands in tables without personal data. */
type ImpersonalColumns = {
  /** Uids of rows, which say what to do. */
  job: "key" | "payload" | "error";
  /** Who is counted: a mailbox, a network, an account, or a keyed hash of these. */
  limited_event: "subject";
  /** The digest of a mail, and the process that read it. */
  mail_attempt: "digest" | "process";
  /** The provider's identifier of a payment, a page, a card or a customer. */
  stripe_event: "subject";
  /** Origins of the site. */
  confirmed_origin: "origin";
};

/** Tables of the site's own content and settings: their names and texts belong to no person. */
type SiteTable = keyof ContentTables | "formula" | "traffic_token" | "setting" | "seed_entry";

type ImpersonalOf<Table> =
  ImpersonalColumn | (Table extends keyof ImpersonalColumns ? ImpersonalColumns[Table] : never);

/** Whether one reason may stand for all columns of a table. */
export type IsOfNobody<Table, Column> = Table extends SiteTable
  ? true
  : [Exclude<Column, ImpersonalOf<Table>>] extends [never]
    ? true
    : false;

/**
 * The fate of every column, or the reason why a table has no personal data. The reason alone does not
 * compile for a table with a column that is not known to be of nobody.
 */
type Columns = {
  [Table in keyof Tables]:
    | Record<keyof Tables[Table], Fate>
    | (IsOfNobody<Table, keyof Tables[Table]> extends true ? string : never);
};

const EXPORTED: Fate = { exported: true, erased: true };
const notExported = (reason: string): Fate => ({ exported: reason, erased: true });
/** Ten years, article L123-22 of the commercial code. */
const BOOKS = "kept for the books, without the person";
const keptForBooks: Fate = { exported: true, erased: BOOKS };
const keptForBooksNotExported = (reason: string): Fate => ({ exported: reason, erased: BOOKS });

const keptForCashback: Fate = {
  exported: true,
  erased: "kept where a cashback is promised, owed or paid: its partner knows the person by it",
};

const IDENTIFIER = "an internal identifier";
const COMPARISON_FORM = "the comparison form of another column";
const SECRET = "a secret or a reference that gives access or allows charges";
const PROGRESS = "internal progress, not information about the person";
const DESK = "internal data of the desk, not of the person";
const NOTICE = "proof of a declaration, kept five years without the person";
const keptAsProof: Fate = { exported: true, erased: NOTICE };
const keptAsProofNotExported = (reason: string): Fate => ({ exported: reason, erased: NOTICE });
const ARCHIVE =
  "proof of a contract, kept five years after its end, ten from 120 € on, apart from the profile";
const archived: Fate = { exported: true, erased: ARCHIVE };
const BANK = "data of the sandbox bank, which plays another company";
const bank: Fate = { exported: BANK, erased: BANK };
const provider: Fate = {
  exported: "the provider's identifier of the person",
  erased: "deleted by a job after the customer is deleted at the provider",
};
const COACH = "the public name of a coach, shown with each answer";
const MAILBOX = "belongs to the owner of the mailbox, which an account does not prove; expires";
const mailbox: Fate = { exported: MAILBOX, erased: MAILBOX };
const UNTIL_JOB = "deleted when its job has run";
const CONTENT = "content of the site";
const OFFER = "data of the catalogue";
const TECHNICAL = "technical data without people";

/**
 * The export and the erasure of every column. Contact tickets share the tables of discussions but
 * belong to no account: registering with an e-mail does not prove ownership of its mailbox. Only
 * the mailed link opens them, and they are deleted three years after their last message. The export has those
 * that the account posted, or wrote to while signed in (`contactRequests`).
 */
export const COLUMNS: Columns = {
  account: {
    uid: keptForBooks,
    identifier: EXPORTED,
    identifier_key: notExported(COMPARISON_FORM),
    password_hash: notExported(SECRET),
    registration_key: notExported(SECRET),
    formula_uid: keptForBooks,
    affiliation_token: EXPORTED,
    affiliation_platform: EXPORTED,
    status: keptForBooks,
    metadata: EXPORTED,
    metadata_modified_at: keptForBooks,
    created_at: keptForBooks,
    origin: EXPORTED,
    last_sign_in_at: EXPORTED,
    last_visit_at: EXPORTED,
    terms_digest: EXPORTED,
    terms_accepted_at: EXPORTED,
    deletion_announced_at: EXPORTED,
  },
  account_session: {
    uid: notExported(IDENTIFIER),
    account_uid: notExported(IDENTIFIER),
    created_at: EXPORTED,
    ended_at: EXPORTED,
    last_seen_at: EXPORTED,
    device: EXPORTED,
  },
  account_address: {
    address_key: notExported("a keyed hash: the address itself is not held"),
    account_uid: notExported(IDENTIFIER),
    seen_at: notExported("of an address that is not held"),
  },
  password_reset_request: {
    uid: notExported(IDENTIFIER),
    identifier_key: notExported(UNTIL_JOB),
    origin: notExported(UNTIL_JOB),
    requested_at: notExported(UNTIL_JOB),
  },
  password_reset: {
    uid: notExported(IDENTIFIER),
    account_uid: notExported(IDENTIFIER),
    secret_hash: notExported(SECRET),
    created_at: notExported("gone after an hour"),
    expires_at: notExported("gone after an hour"),
  },
  address_release: {
    uid: notExported(IDENTIFIER),
    account_uid: notExported(IDENTIFIER),
    secret_hash: notExported(SECRET),
    created_at: notExported("gone after a day"),
    expires_at: notExported("gone after a day"),
  },
  email_change: {
    uid: notExported(IDENTIFIER),
    account_uid: notExported(IDENTIFIER),
    email: notExported("gone after an hour"),
    secret_hash: notExported(SECRET),
    origin: notExported("gone after an hour"),
    created_at: notExported("gone after an hour"),
    expires_at: notExported("gone after an hour"),
  },
  account_role: {
    account_uid: notExported(COACH),
    role: notExported(COACH),
    name: notExported(COACH),
    granted_at: notExported(COACH),
  },

  subscription: {
    uid: keptForBooks,
    account_uid: keptForBooks,
    formula_uid: keptForBooks,
    payment_uid: keptForBooksNotExported(IDENTIFIER),
    amount: keptForBooks,
    trial_amount: keptForBooks,
    credits: keptForBooks,
    card_reference: notExported(SECRET),
    started_at: keptForBooks,
    activates_at: keptForBooksNotExported(PROGRESS),
    expires_at: keptForBooks,
    cancelled_at: keptForBooks,
    ended_at: keptForBooks,
    period_start: keptForBooksNotExported("the export has the periods of the payments"),
    renewal_attempts: keptForBooks,
    renewal_needs: keptForBooks,
    card_expiry: EXPORTED,
    card_told: notExported(SECRET),
    grace_until: keptForBooks,
    withdrawn_at: keptForBooks,
    origin: keptForBooks,
    anchor_at: keptForBooksNotExported("the export has the start and the end"),
    period_duration: keptForBooks,
    period_duration_unit: keptForBooks,
    former_key: keptForBooksNotExported(
      "a keyed hash, made when the account goes, for the withdrawal",
    ),
    ended_by_payment: keptForBooksNotExported(IDENTIFIER),
    terms_digest: keptForBooks,
    terms_before: keptForBooks,
    terms_before_from: keptForBooks,
    terms_apply_at: keptForBooks,
    terms_told_at: keptForBooks,
  },
  payment: {
    uid: keptForBooksNotExported(IDENTIFIER),
    account_uid: keptForBooks,
    formula_uid: keptForBooks,
    traffic_token: keptForBooks,
    kind: keptForBooks,
    amount: keptForBooks,
    cashback: keptForBooks,
    affiliation_token: keptForCashback,
    affiliation_platform: keptForCashback,
    idempotency_key: keptForBooksNotExported(SECRET),
    intent_digest: keptForBooksNotExported(SECRET),
    status: keptForBooks,
    error_code: keptForBooksNotExported("the message beside it says it"),
    error_message: keptForBooks,
    asked_at: keptForBooksNotExported("the state of the payment, which is given, follows from it"),
    gateway_reference: keptForBooksNotExported(SECRET),
    card_reference: notExported(SECRET),
    removed_cards: notExported(SECRET),
    card_hint: EXPORTED,
    created_at: keptForBooks,
    ordered_at: keptForBooks,
    settled_at: keptForBooks,
    subscription_uid: keptForBooksNotExported(IDENTIFIER),
    period_start: keptForBooks,
    covers_from: keptForBooksNotExported(
      "the start of the period, which is given, or of the contract",
    ),
    covers_until: keptForBooksNotExported("the end of that period"),
    origin: keptForBooks,
    offer: keptForBooksNotExported("formula, amount and dates, which are given beside it"),
    terms_digest: keptForBooks,
    terms_accepted_at: keptForBooks,
    terms_named: keptForBooks,
    payer_name: EXPORTED,
    payer_email: {
      exported: "set when the account goes",
      erased: "cleared once nothing is owed of the payment, after thirteen months at the latest",
    },
    order_button: keptForBooks,
    seller: keptForBooks,
    unannounced: keptForBooks,
  },
  contract_proof: {
    subscription_uid: archived,
    email: archived,
    corrected_email: archived,
    name: archived,
    ordered_at: archived,
    terms_digest: archived,
    registered_at: archived,
    registered_terms: archived,
    terms_accepted_at: archived,
    terms_accepted_by: archived,
    terms_named: archived,
    offer: archived,
    conditions: archived,
    button: archived,
  },
  contract_mail: {
    uid: { exported: IDENTIFIER, erased: ARCHIVE },
    subscription_uid: archived,
    kind: archived,
    created_at: archived,
    subject: archived,
    text: archived,
    // Takes the place of the text after five years, so that nothing typed by somebody else is left.
    export_text: archived,
    sent_at: archived,
    given_up_at: archived,
  },
  refund: {
    uid: keptForBooksNotExported(IDENTIFIER),
    payment_uid: keptForBooksNotExported(IDENTIFIER),
    amount: keptForBooks,
    status: keptForBooks,
    created_at: keptForBooks,
    settled_at: keptForBooks,
    made_by: keptForBooksNotExported(PROGRESS),
    reference: keptForBooksNotExported(IDENTIFIER),
    attempt: keptForBooksNotExported(PROGRESS),
    ordered_by: keptForBooksNotExported("who of the seller's people ordered it"),
    reason: keptForBooks,
    repaid_by: keptForBooksNotExported("who of the seller's people recorded it"),
    repaid_reference: keptForBooks,
  },
  credit: {
    subscription_uid: keptForBooks,
    amount: keptForBooks,
    debtor: keptForBooks,
    way: keptForBooks,
    delay_days: keptForBooks,
    delay_after: keptForBooks,
    conditions: keptForBooks,
    status: keptForBooks,
    due_at: keptForBooks,
    paid_on: keptForBooks,
    void_reason: keptForBooks,
    reclaim_reason: keptForBooks,
    created_at: keptForBooks,
    settled_at: keptForBooks,
  },
  payment_claim: {
    reference: keptForBooksNotExported(IDENTIFIER),
    payment_uid: keptForBooksNotExported(IDENTIFIER),
    kind: keptForBooks,
    amount: keptForBooks,
    status: keptForBooks,
    created_at: keptForBooks,
    closed_at: keptForBooks,
  },
  contract_notice: {
    uid: keptAsProof,
    kind: keptAsProof,
    // What was typed is erased where the archive of a contract proves the notice; elsewhere with its row.
    name: EXPORTED,
    email: EXPORTED,
    email_key: notExported(COMPARISON_FORM),
    sender_key: notExported("a keyed hash of who sent it"),
    network_key: notExported("a keyed hash of the network that sent it"),
    repeats_uid: keptAsProofNotExported(IDENTIFIER),
    reference: EXPORTED,
    wished_date: keptAsProof,
    received_at: keptAsProof,
    subscription_uid: keptAsProof,
    stops_at: keptAsProofNotExported(PROGRESS),
    // The link of a mail tells what became of its notice also when the account is gone.
    undo_hash: keptAsProofNotExported(SECRET),
    undo_until: keptAsProofNotExported(PROGRESS),
    undone_at: keptAsProof,
    settled_at: keptAsProof,
    confirmed_at: keptAsProof,
    origin: keptAsProof,
    mailed_at: keptAsProofNotExported(PROGRESS),
    mail_slot: keptAsProofNotExported(IDENTIFIER),
    signed_in: keptAsProofNotExported(PROGRESS),
  },

  ticket: {
    uid: EXPORTED,
    type: notExported("what the export calls discussions"),
    title: EXPORTED,
    status: EXPORTED,
    name: notExported("the name of each of their messages"),
    email: notExported("the account's own, which is given with the account"),
    email_key: notExported(COMPARISON_FORM),
    account_uid: EXPORTED,
    birth: EXPORTED,
    assignee_uid: notExported(DESK),
    version: notExported(DESK),
    last_seq: notExported(DESK),
    message_count: notExported("the export has the messages"),
    last_coach_seq: notExported(DESK),
    person_read_seq: notExported(PROGRESS),
    last_at: notExported("the date of the last message"),
    excerpt: notExported("the beginning of the last message"),
    waiting_since: notExported(DESK),
    first_answered_at: notExported("the date of the first answer"),
    closed_at: notExported(DESK),
    origin: notExported("the site of the account, which is given"),
    creation_key: notExported(SECRET),
    creation_digest: notExported(SECRET),
    created_at: EXPORTED,
  },
  ticket_message: {
    uid: EXPORTED,
    ticket_uid: EXPORTED,
    seq: notExported("messages are given in their order"),
    author: EXPORTED,
    contact_uid: notExported(IDENTIFIER),
    contact_name: EXPORTED,
    content: EXPORTED,
    internal: notExported("notes of coaches stand apart from the messages"),
    key: notExported(SECRET),
    digest: notExported(SECRET),
    mail_message_id: notExported(IDENTIFIER),
    trimmed: EXPORTED,
    trimmed_short: EXPORTED,
    posted_by: notExported(IDENTIFIER),
    created_at: EXPORTED,
  },
  ticket_word: {
    word: notExported("a word of the messages"),
    ticket_uid: notExported(IDENTIFIER),
  },
  sensitive_consent: {
    uid: notExported(IDENTIFIER),
    account_uid: notExported(IDENTIFIER),
    version: EXPORTED,
    text: EXPORTED,
    given_at: EXPORTED,
    taken_back_at: EXPORTED,
  },
  ticket_count: TECHNICAL,
  support_link: {
    uid: mailbox,
    email_key: mailbox,
    secret_hash: mailbox,
    created_at: mailbox,
    expires_at: mailbox,
    revoked_at: mailbox,
  },
  support_link_request: {
    uid: notExported(UNTIL_JOB),
    email: notExported(UNTIL_JOB),
    origin: notExported(UNTIL_JOB),
    requested_at: notExported(UNTIL_JOB),
  },

  mail: {
    uid: notExported(IDENTIFIER),
    key: notExported(IDENTIFIER),
    recipient: notExported("the account's own e-mail, which is given with the account"),
    subject: EXPORTED,
    text: notExported("with the person already; gone once it is sent"),
    html: notExported("with the person already; gone once it is sent"),
    created_at: EXPORTED,
    sent_at: EXPORTED,
    reply_to: notExported("an address of the site or its seller"),
    given_up_at: notExported(PROGRESS),
    refused_at: notExported(PROGRESS),
    unanswered: notExported(PROGRESS),
  },
  stripe_customer: {
    account_uid: provider,
    customer: provider,
    created_at: provider,
  },
  bank_page: {
    uid: bank,
    secret_hash: bank,
    payment_uid: bank,
    merchant: bank,
    email: bank,
    amount: bank,
    description: bank,
    conditions: bank,
    return_url: bank,
    status: bank,
    outcome: bank,
    error_code: bank,
    card_reference: bank,
    card_hint: bank,
    card_expiry: bank,
    created_at: bank,
    expires_at: bank,
    settled_at: bank,
  },
  bank_movement: {
    uid: bank,
    reference: bank,
    at: bank,
    email: bank,
    kind: bank,
    amount: bank,
    currency: bank,
    status: bank,
  },
  bank_card: {
    reference: bank,
    hint: bank,
    expiry: bank,
    next_charge: bank,
    created_at: bank,
  },
  limited_event: "counts against abuse, also of strangers; gone two days later at most",
  mail_attempt: TECHNICAL,
  job: TECHNICAL,
  stripe_event: "names and kinds of what the provider told, nothing about people",
  setting: TECHNICAL,
  seed_entry: TECHNICAL,
  confirmed_origin: TECHNICAL,

  author: CONTENT,
  category: CONTENT,
  tag: CONTENT,
  article: CONTENT,
  article_tag: CONTENT,
  article_relation: CONTENT,
  article_search: CONTENT,
  waiting_article: CONTENT,
  waiting_relation: CONTENT,
  article_token: CONTENT,
  article_word: CONTENT,
  page: CONTENT,
  media: CONTENT,
  image: CONTENT,
  image_file: CONTENT,
  redirection: CONTENT,
  content_source: CONTENT,
  terms_version: CONTENT,
  formula: OFFER,
  traffic_token: OFFER,
};
