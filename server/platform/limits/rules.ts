import { DAY_MS, HOUR_MS, MINUTE_MS } from "../ports/durations";
/** At most `max` events of a subject within a window that slides. */
export type LimitRule = { scope: string; max: number; windowMs: number };

/**
 * After `max` events within the window nothing passes for `lockMs`; each further `maxAgain` double
 * that time, up to `maxLockMs`. What is older than the window makes no lock longer any more.
 */
export type LockRule = LimitRule & { maxAgain: number; lockMs: number; maxLockMs: number };

/** Cards that the bank refused, per address of the visitor. */
export const CARD_DECLINES: LimitRule = {
  scope: "card.declined",
  max: 10,
  windowMs: 15 * MINUTE_MS,
};

/** The same per account that pays, from wherever: nobody has so many cards, a list of stolen ones has. */
export const CARD_DECLINES_OF_ACCOUNT: LimitRule = {
  scope: "card.account",
  max: 20,
  windowMs: DAY_MS,
};

/** Failed sign-ins to one account from one address: forgotten passwords and guesses alike. */
export const LOGIN_FAILURES_HERE: LimitRule = {
  scope: "login.here",
  max: 10,
  windowMs: 15 * MINUTE_MS,
};

/** Failed sign-ins from one address, to whatever accounts: one password tried on many. */
export const LOGIN_FAILURES_OF_ADDRESS: LimitRule = {
  scope: "login.address",
  max: 100,
  windowMs: 15 * MINUTE_MS,
};

/**
 * Failed sign-ins to one account from all the addresses its owner never used: a botnet's guesses. A
 * prank costs the owner a quarter of an hour; who goes on all day has less than 200 guesses.
 */
export const LOGIN_FAILURES_OF_ACCOUNT: LockRule = {
  scope: "login.account",
  max: 100,
  windowMs: 24 * HOUR_MS,
  maxAgain: 10,
  lockMs: 15 * MINUTE_MS,
  maxLockMs: 4 * HOUR_MS,
};

/** Sign-ins to one account from one address that succeed: each costs a hash and a session. */
export const LOGINS_HERE: LimitRule = { scope: "login.success", max: 30, windowMs: 15 * MINUTE_MS };

/** Wrong current passwords of a signed-in account from one address. */
export const PASSWORD_CHANGES: LimitRule = {
  scope: "password.change",
  max: 10,
  windowMs: 15 * MINUTE_MS,
};

/** Passwords changed, per account: each costs two hashes and a mail. */
export const PASSWORDS_CHANGED: LimitRule = { scope: "password.new", max: 20, windowMs: HOUR_MS };

/**
 * Registrations per address. Thousands of people share one address of a French mobile carrier, and
 * an office may come as a crowd after a radio show: the limit is for machines, not for crowds.
 */
export const REGISTRATIONS: LimitRule = { scope: "registration", max: 300, windowMs: HOUR_MS };

/** Requests for a new password per address, whether or not there is an account. */
export const RESET_REQUESTS: LimitRule = { scope: "reset.request", max: 20, windowMs: HOUR_MS };

/** Cancellations and withdrawals per address, together: anybody may send them. */
export const NOTICES: LimitRule = { scope: "notice", max: 30, windowMs: HOUR_MS };

/** Mails of what notices by strangers changed, per letter box and kind: those beyond it go out later. */
export const NOTICE_MAILS: LimitRule = { scope: "notice.mail", max: 10, windowMs: DAY_MS };

/** Mails of notices that changed nothing, per letter box: those beyond it are left out. */
export const NOTICE_RECEIPTS: LimitRule = { scope: "notice.receipt", max: 10, windowMs: DAY_MS };

/** The same by who is signed in with that e-mail: no stranger uses it up. */
export const NOTICES_OF_OWNER: LimitRule = { scope: "notice.owner", max: 30, windowMs: HOUR_MS };

/** Tickets opened, per address of the visitor. */
export const TICKETS: LimitRule = { scope: "support.ticket", max: 20, windowMs: HOUR_MS };

/** Messages written in threads, per person. */
export const MESSAGES: LimitRule = { scope: "support.message", max: 120, windowMs: HOUR_MS };

/** Links asked for, per address of the visitor. */
export const LINK_REQUESTS: LimitRule = { scope: "support.link", max: 20, windowMs: HOUR_MS };

/** Links mailed because somebody asked, per letter box. */
export const LINK_MAILS: LimitRule = { scope: "support.mailed-link", max: 3, windowMs: HOUR_MS };

/** Letters to who sent a mail that could not be taken in as it is, of whatever kind. */
export const INBOUND_ANSWERS: LimitRule = { scope: "inbound.answer", max: 3, windowMs: DAY_MS };

/** Letters about replies refused, per sender and ticket. */
export const REPLY_REFUSALS: LimitRule = { scope: "inbound.refusal", max: 1, windowMs: DAY_MS };

/** The same per ticket: senders are easily made up, and are written to all the same. */
export const TICKET_REFUSALS: LimitRule = { scope: "inbound.ticket", max: 10, windowMs: DAY_MS };

/** Receipts of tickets mailed, per letter box. */
export const TICKET_MAILS: LimitRule = { scope: "support.receipt", max: 10, windowMs: HOUR_MS };
