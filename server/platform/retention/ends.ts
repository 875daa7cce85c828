import { inTransaction } from "../database/transaction";
import { sql, type RawBuilder } from "kysely";
import { eraseAccount } from "../accounts/deletion";
import { knownSince } from "../accounts/known-address";
import { liveSince } from "../accounts/session-life";
import type { Database, Tables } from "../database/tables";
import * as rules from "../limits/rules";
import { scopesOf } from "../limits/limit";
import type { KeyedSubjects } from "../limits/subject";
import type { Clock } from "../ports/clock";
import { deleteTickets } from "../support/deletion";

type Options = { db: Database; clock: Clock; subjects: KeyedSubjects };

/** Removes some of what is over; gives whether there may be more. */
type Purge = (options: Options) => Promise<boolean>;

/** How the rows of a table end: they are purged, go with others, or stay for a reason. */
type End = { purge: readonly Purge[] } | { with: string } | { kept: string };

/** In one statement: nobody waits for longer than that takes. */
const BATCH = 500;
/** Tickets and accounts have many rows of their own. */
const SMALL_BATCH = 50;

/** What is in use within that time is somebody's, though nobody paid. */
const UNUSED_ACCOUNT = { months: 12 };
/** After its last message; what the privacy page says. */
const CONTACT_TICKET = { years: 3 };
/** Closed without a word of ours: spam, for the most part. */
const UNANSWERED_TICKET = { months: 12 };
/** Five years to sue upon a contract (article 2224 of the civil code). */
const NOTICE = { years: 5 };
/** Somebody may have mistyped their e-mail, and needs the proof that they wrote. */
const NOTICE_OF_NO_CONTRACT = { months: 12 };
/** Ten years for the books (article L123-22 of the commercial code). */
const BOOKS = { years: 10 };
/** Of a rule that the program does not have any more. */
const FORGOTTEN_RULE = { days: 30 };
/** So long a card payment may be contested (article L133-24 of the monetary and financial code). */
const REFUSED_PAYMENT = { months: 13 };
/** Longer than any provider sends a notification again: a key done once is not done again. */
const DONE_JOB = { days: 30 };
/** The text is gone once a mail is sent; that it was sent is a technical record. */
const MAIL = { months: 12 };
/** A mail that nobody takes away any more. */
const MAIL_ATTEMPT = { days: 30 };
/** Stripe repeats an event for three days, its dashboard for thirty. */
const PROVIDER_EVENT = { days: 30 };
/** A link lasts 30 days and is remembered for another 30, so that it is told it is worn out. */
const SUPPORT_LINK = { days: 60 };
/** Taken by a job at once; what is older was left by one that cannot be done. */
const REQUEST = { days: 1 };

const CONTENT: End = { kept: "content of the site, changed by who writes it" };
const OFFER: End = { kept: "what is sold, changed by who sells it" };

/**
 * Every table and the end of its rows. What the privacy page says of delays is what stands here; a
 * table that is missing fails the tests.
 */
export const ENDS: Record<keyof Tables, End> = {
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

  account: { purge: [forgetUnused, deleteNobodies] },
  account_session: {
    purge: [
      rows("account_session", sql`ended_at is not null`),
      rows("account_session", ({ clock }) => sql`last_seen_at <= ${liveSince(clock.now())}`),
    ],
  },
  account_address: {
    purge: [
      rows(
        "account_address",
        ({ clock }) => sql`seen_at <= ${knownSince(clock.now())}`,
        "address_key",
      ),
    ],
  },
  account_role: { with: "account, or when it is taken" },
  password_reset: {
    purge: [rows("password_reset", ({ clock }) => sql`expires_at <= ${clock.now().toISOString()}`)],
  },
  password_reset_request: { purge: [older("password_reset_request", "requested_at", REQUEST)] },
  address_release: {
    purge: [
      rows("address_release", ({ clock }) => sql`expires_at <= ${clock.now().toISOString()}`),
    ],
  },

  subscription: { purge: [older("subscription", "ended_at", BOOKS)] },
  refund: { purge: [older("refund", "created_at", BOOKS)] },
  payment: {
    purge: [
      older("payment", "created_at", BOOKS, sql`status not in ('open', 'pending') and ${unused()}`),
      older(
        "payment",
        "created_at",
        REFUSED_PAYMENT,
        sql`status in ('failure', 'cancelled') and ${unused()}`,
      ),
    ],
  },
  payment_claim: {
    purge: [
      rows(
        "payment_claim",
        sql`not exists (select 1 from payment where payment.uid = payment_claim.payment_uid)`,
        "reference",
      ),
    ],
  },
  stripe_customer: { kept: "of an account, until a job has deleted it at the provider too" },
  stripe_event: { purge: [rows("stripe_event", isOldEvent, "id")] },
  contract_notice: {
    purge: [
      older("contract_notice", "received_at", NOTICE),
      older("contract_notice", "received_at", NOTICE_OF_NO_CONTRACT, sql`subscription_uid is null`),
    ],
  },

  ticket: {
    purge: [
      tickets("last_at", CONTACT_TICKET),
      tickets("closed_at", UNANSWERED_TICKET, sql`last_coach_seq = 0`),
    ],
  },
  ticket_message: { with: "ticket" },
  ticket_word: { with: "ticket" },
  ticket_count: { kept: "one row for each kind and status" },
  support_link: { purge: [older("support_link", "created_at", SUPPORT_LINK)] },
  support_link_request: { purge: [older("support_link_request", "requested_at", REQUEST)] },

  bank_page: {
    purge: [
      older(
        "bank_page",
        "created_at",
        REFUSED_PAYMENT,
        sql`status not in ('challenge', 'pending')`,
      ),
    ],
  },
  bank_card: { kept: "the sandbox bank's own: a renewal may charge it" },
  bank_movement: { kept: "the sandbox bank's own ledger" },

  confirmed_origin: { kept: "confirmed and forgotten by the owner of the site" },
  seed_entry: { kept: "one row for each entry of the seeds" },
  setting: { kept: "one row for each name, and names are of the program" },
  mail: { purge: [older("mail", "created_at", MAIL)] },
  mail_attempt: { purge: [older("mail_attempt", "at", MAIL_ATTEMPT)] },
  limited_event: { purge: [rows("limited_event", isOutOfWindow)] },
  job: { purge: [older("job", "done_at", DONE_JOB)] },
};

/** Nobody is left behind them, and nothing of the books. */
async function deleteNobodies(options: Options) {
  const nobody = sql`status = 'deleted'
    and not exists (select 1 from payment where payment.account_uid = account.uid)
    and not exists (select 1 from subscription where subscription.account_uid = account.uid)`;
  return rows("account", nobody)(options);
}

/** Registered, perhaps with somebody else's e-mail, never paid, and not signed in for long. */
async function forgetUnused({ db, clock, subjects }: Options) {
  const unused = await sql<{ uid: string }>`select uid from account
    where status = 'active' and coalesce(last_sign_in_at, created_at) < ${before(clock, UNUSED_ACCOUNT)}
    and not exists (select 1 from payment where payment.account_uid = account.uid)
    and not exists (select 1 from subscription where subscription.account_uid = account.uid)
    and not exists (select 1 from account_session where account_session.account_uid = account.uid)
    and not exists (select 1 from account_role where account_role.account_uid = account.uid)
    limit ${sql.lit(SMALL_BATCH)}`.execute(db);
  for (const { uid } of unused.rows) {
    await inTransaction({ db, clock, subjects }, (within) => eraseAccount(within, uid));
  }
  return unused.rows.length === SMALL_BATCH;
}

/** Contact tickets only: discussions are their account's, and go with it. */
function tickets(column: "last_at" | "closed_at", age: Age, also = sql`1 = 1`): Purge {
  return ({ db, clock }) =>
    db.transaction().execute(async (transaction) => {
      const old = await sql<{ uid: string }>`select uid from ticket
        where type = 'contact' and ${sql.ref(column)} < ${before(clock, age)} and ${also}
        limit ${sql.lit(SMALL_BATCH)}`.execute(transaction);
      await deleteTickets(
        transaction,
        old.rows.map(({ uid }) => uid),
      );
      return old.rows.length === SMALL_BATCH;
    });
}

/** Events that left the window of their rule: they hold addresses. */
function isOutOfWindow({ clock }: Options) {
  const over = Object.values(rules).map((rule) => {
    const since = new Date(clock.now().getTime() - rule.windowMs).toISOString();
    return sql`(scope in (${sql.join(scopesOf(rule))}) and at <= ${since})`;
  });
  return sql`${sql.join(over, sql` or `)} or at < ${before(clock, FORGOTTEN_RULE)}`;
}

function isOldEvent({ clock }: Options) {
  return sql`received_at < ${before(clock, PROVIDER_EVENT)}`;
}

/** Of payments: no subscription and no refund names it. */
function unused() {
  return sql`not exists (select 1 from subscription where subscription.payment_uid = payment.uid)
    and not exists (select 1 from refund where refund.payment_uid = payment.uid)`;
}

function older(table: keyof Tables, column: string, age: Age, also = sql`1 = 1`): Purge {
  return rows(table, ({ clock }) => sql`${sql.ref(column)} < ${before(clock, age)} and ${also}`);
}

type Condition = RawBuilder<unknown>;

function rows(
  table: keyof Tables,
  over: Condition | ((options: Options) => Condition),
  key = "uid",
): Purge {
  return async (options) => {
    const condition = typeof over === "function" ? over(options) : over;
    const [from, name] = [sql.table(table), sql.ref(key)];
    const gone = await sql`delete from ${from} where ${name} in
      (select ${name} from ${from} where ${condition} limit ${sql.lit(BATCH)})
      returning ${name}`.execute(options.db);
    return gone.rows.length === BATCH;
  };
}

type Age = { days: number } | { months: number } | { years: number };

function before(clock: Clock, age: Age): string {
  const moment = clock.now();
  if ("days" in age) moment.setUTCDate(moment.getUTCDate() - age.days);
  if ("months" in age) moment.setUTCMonth(moment.getUTCMonth() - age.months);
  if ("years" in age) moment.setUTCFullYear(moment.getUTCFullYear() - age.years);
  return moment.toISOString();
}
