import { DAY_MS, HOUR_MS, MINUTE_MS } from "../ports/durations";

const SECOND_MS = 1_000;

/** At most `max` events of a subject within a sliding window. */
export type LimitRule = { scope: string; max: number; windowMs: number };

/**
 * After `max` events within the window nothing passes for `lockMs`. Each further `maxAfterLock` events
 * double that time, up to `maxLockMs`. Locks older than the window no longer count.
 */
export type LockRule = LimitRule & { maxAfterLock: number; lockMs: number; maxLockMs: number };

/** Cards that the bank refused, per address of the visitor. */
export const CARD_DECLINES: LimitRule = {
  scope: "card.declined",
  max: 10,
  windowMs: 15 * MINUTE_MS,
};

/** Refused cards per paying account, from any address: only a list of stolen cards is that long. */
export const CARD_DECLINES_OF_ACCOUNT: LimitRule = {
  scope: "card.account",
  max: 20,
  windowMs: DAY_MS,
};

/**
 * Requests for the bank's page per account: each asks the payment provider up to three times, whose own limit is
 * for all customers together.
 */
export const PAYMENT_PAGES_OF_ACCOUNT: LimitRule = {
  scope: "payment.page",
  max: 40,
  windowMs: HOUR_MS,
};

/** The same per network address, against people who register many accounts. */
export const PAYMENT_PAGES_OF_ADDRESS: LimitRule = {
  scope: "payment.page-address",
  max: 600,
  windowMs: HOUR_MS,
};

/** Reads of an undecided payment that ask the provider, per account. Further ones are not asked. */
export const PAYMENT_READS_OF_ACCOUNT: LimitRule = {
  scope: "payment.read",
  max: 30,
  windowMs: MINUTE_MS,
};

/** The same per visitor's address. */
export const PAYMENT_READS_OF_ADDRESS: LimitRule = {
  scope: "payment.read-address",
  max: 300,
  windowMs: MINUTE_MS,
};

/**
 * The same for all people together, where the provider limits the shop: a third of the hundred a second that Stripe
 * allows, so that orders and renewals have the rest. Jobs do not count.
 */
export const PAYMENT_READS_OF_ALL: LimitRule = {
  scope: "payment.read-all",
  max: 30,
  windowMs: SECOND_MS,
};

/** How many of them one wider network may have, so that it leaves as many to others. */
export const PAYMENT_READS_OF_NETWORK: LimitRule = {
  scope: "payment.read-network",
  max: 15,
  windowMs: SECOND_MS,
};

/** Failed sign-ins to one account from one address: forgotten passwords and guesses. */
export const LOGIN_FAILURES_OF_ACCOUNT_AT_ADDRESS: LimitRule = {
  scope: "login.here",
  max: 10,
  windowMs: 15 * MINUTE_MS,
};

/** Failed sign-ins from one address to any account: one password tried on many accounts. */
export const LOGIN_FAILURES_OF_ADDRESS: LimitRule = {
  scope: "login.address",
  max: 100,
  windowMs: 15 * MINUTE_MS,
};

/**
 * Failed sign-ins to one account from all unknown addresses together: the guesses of a botnet. A
 * prank locks the owner out for a quarter of an hour; an attacker has fewer than 200 guesses a day.
 */
export const LOGIN_FAILURES_OF_ACCOUNT: LockRule = {
  scope: "login.account",
  max: 100,
  windowMs: 24 * HOUR_MS,
  maxAfterLock: 10,
  lockMs: 15 * MINUTE_MS,
  maxLockMs: 4 * HOUR_MS,
};

/** Successful sign-ins to one account from one address: each costs a hash and a session. */
export const LOGINS_OF_ACCOUNT_AT_ADDRESS: LimitRule = {
  scope: "login.success",
  max: 30,
  windowMs: 15 * MINUTE_MS,
};

/** Wrong current passwords of a signed-in account from one address. */
export const WRONG_CURRENT_PASSWORDS: LimitRule = {
  scope: "password.change",
  max: 10,
  windowMs: 15 * MINUTE_MS,
};

/** Password changes per account: each costs two hashes and a mail. */
export const PASSWORD_CHANGES: LimitRule = { scope: "password.new", max: 20, windowMs: HOUR_MS };

/**
 * Registrations per address. Thousands of people share one address of a French mobile carrier, so
 * the limit must stop programs, not the crowd after a radio show.
 */
export const REGISTRATIONS: LimitRule = { scope: "registration", max: 300, windowMs: HOUR_MS };

/** Requests for a new password per address, whether or not there is an account. */
export const RESET_REQUESTS: LimitRule = { scope: "reset.request", max: 20, windowMs: HOUR_MS };

/** Requests for another e-mail per account: each writes to its mailbox, and to the new one. */
export const EMAIL_CHANGES: LimitRule = { scope: "email.change", max: 5, windowMs: HOUR_MS };

/** The same per new mailbox, whoever asks, and whether or not it has an account. */
export const EMAIL_CHANGES_TO_MAILBOX: LimitRule = {
  scope: "email.mailbox",
  max: 5,
  windowMs: HOUR_MS,
};

/** The same per address, against people who register many accounts. */
export const EMAIL_CHANGES_OF_ADDRESS: LimitRule = {
  scope: "email.address",
  max: 20,
  windowMs: HOUR_MS,
};

/** Cancellations and withdrawals together, per address: they need no sign-in. */
export const NOTICES: LimitRule = { scope: "notice", max: 30, windowMs: HOUR_MS };

/**
 * Mails about changes by notices without sign-in that act at once, per mailbox and kind; further mails
 * are sent later.
 */
export const NOTICE_MAILS: LimitRule = { scope: "notice.mail", max: 10, windowMs: DAY_MS };

/** The same for cancellations of a later day, which must not hold back a mail that is urgent. */
export const PLANNED_NOTICE_MAILS: LimitRule = {
  scope: "notice.planned",
  max: 10,
  windowMs: DAY_MS,
};

/** Mails about notices that changed nothing, per mailbox; further mails are dropped. */
export const NOTICE_RECEIPTS: LimitRule = { scope: "notice.receipt", max: 10, windowMs: DAY_MS };

/** Notices of a signed-in account with its own e-mail: a limit that no stranger can use up. */
export const NOTICES_OF_OWNER: LimitRule = { scope: "notice.owner", max: 30, windowMs: HOUR_MS };

/**
 * Previews of a cancellation or of its undoing, per account or, by a mailed link, per contract: each carries it out
 * and takes it back.
 */
export const NOTICE_PREVIEWS: LimitRule = { scope: "notice.preview", max: 60, windowMs: HOUR_MS };

/** Writes of an account's metadata: favorites and answers of forms, one for each press of a button. */
export const METADATA_WRITES: LimitRule = { scope: "metadata", max: 120, windowMs: MINUTE_MS };

/** Tickets opened per visitor's address. */
export const TICKETS: LimitRule = { scope: "support.ticket", max: 20, windowMs: HOUR_MS };

/** Messages in threads per person. */
export const MESSAGES: LimitRule = { scope: "support.message", max: 120, windowMs: HOUR_MS };

/**
 * Messages and discussions per account, or per mailbox of a mailed link: what one person writes is kept for years,
 * exported in one file and searched, and nobody writes that much by hand.
 */
export const MESSAGES_OF_DAY: LimitRule = { scope: "support.day", max: 300, windowMs: DAY_MS };
/** Exports of one account within a minute: a second press is answered, a program is not. */
export const EXPORTS_OF_MINUTE: LimitRule = { scope: "export.now", max: 2, windowMs: MINUTE_MS };
/** Exports of one account: each reads all that it ever wrote. */
export const EXPORTS: LimitRule = { scope: "export", max: 10, windowMs: HOUR_MS };
/** Requests for a contact link per visitor's address. */
export const LINK_REQUESTS: LimitRule = { scope: "support.link", max: 20, windowMs: HOUR_MS };

/** Requested contact links mailed per mailbox. */
export const LINK_MAILS: LimitRule = { scope: "support.mailed-link", max: 3, windowMs: HOUR_MS };

/** Letters to the sender of an inbound mail that was not accepted as it is, of any kind. */
export const INBOUND_ANSWERS: LimitRule = { scope: "inbound.answer", max: 3, windowMs: DAY_MS };

/** Letters about refused replies, per sender and ticket. */
export const REPLY_REFUSALS: LimitRule = { scope: "inbound.refusal", max: 1, windowMs: DAY_MS };

/** Letters about refused replies, per ticket: a sender address is easily forged, and gets the letter. */
export const TICKET_REFUSALS: LimitRule = { scope: "inbound.ticket", max: 10, windowMs: DAY_MS };

/** Receipts of tickets per mailbox. */
export const TICKET_MAILS: LimitRule = { scope: "support.receipt", max: 10, windowMs: HOUR_MS };

/** Consents given anew after they were taken back, by one account. */
export const CONSENTS: LimitRule = { scope: "consent", max: 20, windowMs: HOUR_MS };
