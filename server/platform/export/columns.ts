import type { Tables } from "../database/tables";

/**
 * What becomes of a column that says something about a person. `given`: their export has it;
 * otherwise why not. `erased`: it goes with the account; otherwise why it stays.
 */
export type Fate = { given: true | string; erased: true | string };

/** Every column of a table that holds something about people, or why the table holds nothing. */
type Columns = { [Table in keyof Tables]: Record<keyof Tables[Table], Fate> | string };

const GIVEN: Fate = { given: true, erased: true };
const gone = (reason: string): Fate => ({ given: reason, erased: true });
/** Ten years, article L123-22 of the commercial code. */
const BOOKS = "kept for the books, without the person";
const booked: Fate = { given: true, erased: BOOKS };
const bookedUntold = (reason: string): Fate => ({ given: reason, erased: BOOKS });

const NAME = "a name the program has for it";
const COMPARED = "another column, as it is compared";
const SECRET = "lets them in or charges them, and means nothing to them";
const WORKING = "how far the work on it is, not what is known of them";
const OFFICE = "of the desk, not of the person";
const NOTICE = "a proof of what was declared: five years, without who declared it";
const noticed: Fate = { given: true, erased: NOTICE };
const noticedUntold = (reason: string): Fate => ({ given: reason, erased: NOTICE });
const BANK = "of the sandbox bank, which stands for somebody else";
const bank: Fate = { given: BANK, erased: BANK };
const provider: Fate = {
  given: "the provider's name of the person, which means nothing to them",
  erased: "gone once a job has deleted the person at the provider",
};
const COACH = "of coaches: their name at work, which each of their answers shows";
const LETTER_BOX = "of who reads the letter box, which an account does not prove; ends by itself";
const letterBox: Fate = { given: LETTER_BOX, erased: LETTER_BOX };
const PASSING = "gone as soon as its job has run";
const CONTENT = "content of the site";
const OFFER = "what is sold";
const HOUSE = "of the house; names in it are of the program, or keyed hashes";

/**
 * Contact tickets stand in the tables of discussions, but are nobody's account's: whoever registers
 * with an e-mail has not proved to read its letter box. They are read by the mailed link alone, and
 * end three years after their last message.
 */
export const COLUMNS: Columns = {
  account: {
    uid: booked,
    identifier: GIVEN,
    identifier_key: gone(COMPARED),
    password_hash: gone(SECRET),
    registration_key: gone(SECRET),
    formula_uid: booked,
    affiliation_token: GIVEN,
    affiliation_platform: GIVEN,
    status: booked,
    metadata: GIVEN,
    metadata_modified_at: booked,
    created_at: booked,
    origin: GIVEN,
    last_sign_in_at: GIVEN,
  },
  account_session: {
    uid: gone(NAME),
    account_uid: gone(NAME),
    created_at: GIVEN,
    ended_at: GIVEN,
    last_seen_at: GIVEN,
    device: GIVEN,
  },
  account_address: {
    address_key: gone("a keyed hash: the address itself is not held"),
    account_uid: gone(NAME),
    seen_at: gone("of an address that is not held"),
  },
  password_reset_request: {
    uid: gone(NAME),
    identifier_key: gone(PASSING),
    origin: gone(PASSING),
    requested_at: gone(PASSING),
  },
  password_reset: {
    uid: gone(NAME),
    account_uid: gone(NAME),
    secret_hash: gone(SECRET),
    created_at: gone("gone after an hour"),
    expires_at: gone("gone after an hour"),
  },
  address_release: {
    uid: gone(NAME),
    account_uid: gone(NAME),
    secret_hash: gone(SECRET),
    created_at: gone("gone after a day"),
    expires_at: gone("gone after a day"),
  },
  account_role: {
    account_uid: gone(COACH),
    role: gone(COACH),
    name: gone(COACH),
    granted_at: gone(COACH),
  },

  subscription: {
    uid: booked,
    account_uid: booked,
    formula_uid: booked,
    payment_uid: bookedUntold(NAME),
    amount: booked,
    trial_amount: booked,
    credits: booked,
    card_reference: gone(SECRET),
    started_at: booked,
    activates_at: bookedUntold(WORKING),
    expires_at: booked,
    cancelled_at: booked,
    ended_at: booked,
    period_start: bookedUntold("the export has the periods of the payments"),
    renewal_attempts: booked,
    renewal_needs: booked,
    card_expiry: GIVEN,
    grace_until: booked,
    withdrawn_at: booked,
    origin: booked,
    anchor_at: bookedUntold("the export has the start and the end"),
    period_duration: booked,
    period_duration_unit: booked,
    former_key: bookedUntold("a keyed hash, made when the account goes, for the withdrawal"),
    ended_by_payment: bookedUntold(NAME),
  },
  payment: {
    uid: bookedUntold(NAME),
    account_uid: booked,
    formula_uid: booked,
    traffic_token: booked,
    kind: booked,
    amount: booked,
    cashback: booked,
    affiliation_token: booked,
    affiliation_platform: booked,
    idempotency_key: bookedUntold(SECRET),
    intent_digest: bookedUntold(SECRET),
    status: booked,
    error_code: bookedUntold("the message beside it says it"),
    error_message: booked,
    gateway_reference: bookedUntold(SECRET),
    card_reference: gone(SECRET),
    card_hint: GIVEN,
    created_at: booked,
    settled_at: booked,
    subscription_uid: bookedUntold(NAME),
    period_start: booked,
    covers_from: bookedUntold("the start of the period, which is given, or of the contract"),
    covers_until: bookedUntold("the end of that period"),
    origin: booked,
    offer: bookedUntold("formula, amount and dates, which are given beside it"),
  },
  refund: {
    uid: bookedUntold(NAME),
    payment_uid: bookedUntold(NAME),
    amount: booked,
    status: booked,
    created_at: booked,
    settled_at: booked,
    made_by: bookedUntold(WORKING),
    reference: bookedUntold(NAME),
    attempt: bookedUntold(WORKING),
  },
  payment_claim: {
    reference: bookedUntold(NAME),
    payment_uid: bookedUntold(NAME),
    kind: booked,
    amount: booked,
    status: booked,
    created_at: booked,
    closed_at: booked,
  },
  contract_notice: {
    uid: noticed,
    kind: noticed,
    name: GIVEN,
    email: GIVEN,
    email_key: gone(COMPARED),
    sender_key: gone("a keyed hash of who sent it"),
    repeats_uid: noticedUntold(NAME),
    reference: GIVEN,
    wished_date: noticed,
    received_at: noticed,
    subscription_uid: noticed,
    stops_at: noticedUntold(WORKING),
    undo_hash: gone(SECRET),
    undo_until: noticedUntold(WORKING),
    undone_at: noticed,
    confirmed_at: noticed,
    origin: noticed,
  },

  ticket: {
    uid: GIVEN,
    type: gone("what the export calls discussions"),
    title: GIVEN,
    status: GIVEN,
    name: gone("the name of each of their messages"),
    email: gone("the account's own, which is given with the account"),
    email_key: gone(COMPARED),
    account_uid: GIVEN,
    assignee_uid: gone(OFFICE),
    version: gone(OFFICE),
    last_seq: gone(OFFICE),
    message_count: gone("the export has the messages"),
    last_coach_seq: gone(OFFICE),
    person_read_seq: gone(WORKING),
    last_at: gone("the date of the last message"),
    excerpt: gone("the beginning of the last message"),
    waiting_since: gone(OFFICE),
    closed_at: gone(OFFICE),
    origin: gone("the site of the account, which is given"),
    creation_key: gone(SECRET),
    creation_digest: gone(SECRET),
    created_at: GIVEN,
  },
  ticket_message: {
    uid: GIVEN,
    ticket_uid: GIVEN,
    seq: gone("messages are given in their order"),
    author: GIVEN,
    contact_uid: gone(NAME),
    contact_name: GIVEN,
    content: GIVEN,
    internal: gone("notes of coaches are theirs"),
    key: gone(SECRET),
    digest: gone(SECRET),
    mail_message_id: gone(NAME),
    created_at: GIVEN,
  },
  ticket_word: {
    word: gone("a word of the messages"),
    ticket_uid: gone(NAME),
  },
  ticket_count: HOUSE,
  support_link: {
    uid: letterBox,
    email_key: letterBox,
    secret_hash: letterBox,
    created_at: letterBox,
    expires_at: letterBox,
    revoked_at: letterBox,
  },
  support_link_request: {
    uid: gone(PASSING),
    email: gone(PASSING),
    origin: gone(PASSING),
    requested_at: gone(PASSING),
  },

  mail: {
    uid: gone(NAME),
    key: gone(NAME),
    recipient: gone("the account's own e-mail, which is given with the account"),
    subject: GIVEN,
    text: gone("with the person already; gone once it is sent"),
    html: gone("with the person already; gone once it is sent"),
    created_at: GIVEN,
    sent_at: GIVEN,
    reply_to: gone("an address of the site"),
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
  limited_event: HOUSE,
  mail_attempt: HOUSE,
  job: HOUSE,
  stripe_event: "names and kinds of what the provider told, nothing about people",
  setting: HOUSE,
  seed_entry: HOUSE,
  confirmed_origin: HOUSE,

  author: CONTENT,
  category: CONTENT,
  tag: CONTENT,
  article: CONTENT,
  article_tag: CONTENT,
  article_relation: CONTENT,
  page: CONTENT,
  media: CONTENT,
  redirection: CONTENT,
  content_source: CONTENT,
  formula: OFFER,
  traffic_token: OFFER,
};
