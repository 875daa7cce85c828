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

/** Deletes a batch of expired rows; returns whether there may be more. */
type Purge = (options: Options) => Promise<boolean>;

/** How rows of a table end: purged, deleted with another table, or kept for a reason. */
type End = { purge: readonly Purge[] } | { with: string } | { kept: string };

/** Rows deleted in one statement, so that no lock lasts long. */
const BATCH = 500;
/** Tickets and accounts have many dependent rows. */
const SMALL_BATCH = 50;

/** Since the last sign-in of an account that never paid. */
const UNUSED_ACCOUNT = { months: 12 };
/** After the last message, as the privacy page says. */
const CONTACT_TICKET = { years: 3 };
/** After closing without an answer: mostly spam. */
const UNANSWERED_TICKET = { months: 12 };
/** Limitation period of contract claims: five years (article 2224 of the civil code). */
const NOTICE = { years: 5 };
/** A notice that matched no contract: its sender may have mistyped the e-mail and need the proof. */
const NOTICE_OF_NO_CONTRACT = { months: 12 };
/** Accounting records: ten years (article L123-22 of the commercial code). */
const BOOKS = { years: 10 };
/** Events of a limit that no longer exists in the program. */
const REMOVED_RULE = { days: 30 };
/**
 * A card payment may be contested for 13 months (article L133-24 of the monetary and financial
 * code).
 */
const REFUSED_PAYMENT = { months: 13 };
/** Longer than a provider repeats notifications, because the key of a done job prevents a second run. */
const DONE_JOB = { days: 30 };
/** The text is deleted after sending; the rest is a technical record. */
const MAIL = { months: 12 };
/** An inbound mail that nobody delivers any more. */
const MAIL_ATTEMPT = { days: 30 };
/** Stripe repeats an event for three days, its dashboard for thirty. */
const PROVIDER_EVENT = { days: 30 };
/** A link is valid for 30 days and kept for another 30, so that its page can say that it has expired. */
const SUPPORT_LINK = { days: 60 };
/** A job handles it at once; an older one belongs to a job that keeps failing. */
const REQUEST = { days: 1 };

const CONTENT: End = { kept: "content of the site, maintained by its editors" };
const OFFER: End = { kept: "catalogue, maintained by the site's owner" };

/**
 * The end of the rows of every table. The delays on the privacy page are the ones given here. A missing
 * table does not compile.
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

  account: { purge: [eraseUnusedAccounts, deleteErasedAccounts] },
  account_session: {
    purge: [
      purgeRows("account_session", sql`ended_at is not null`),
      purgeRows("account_session", ({ clock }) => sql`last_seen_at <= ${liveSince(clock.now())}`),
    ],
  },
  account_address: {
    purge: [
      purgeRows(
        "account_address",
        ({ clock }) => sql`seen_at <= ${knownSince(clock.now())}`,
        "address_key",
      ),
    ],
  },
  account_role: { with: "account, or when it is taken" },
  password_reset: {
    purge: [
      purgeRows("password_reset", ({ clock }) => sql`expires_at <= ${clock.now().toISOString()}`),
    ],
  },
  password_reset_request: {
    purge: [purgeOlder("password_reset_request", "requested_at", REQUEST)],
  },
  address_release: {
    purge: [
      purgeRows("address_release", ({ clock }) => sql`expires_at <= ${clock.now().toISOString()}`),
    ],
  },

  subscription: { purge: [purgeOlder("subscription", "ended_at", BOOKS)] },
  refund: { purge: [purgeOlder("refund", "created_at", BOOKS)] },
  payment: {
    purge: [
      purgeOlder(
        "payment",
        "created_at",
        BOOKS,
        sql`status not in ('open', 'pending') and ${isUnusedPayment()}`,
      ),
      purgeOlder(
        "payment",
        "created_at",
        REFUSED_PAYMENT,
        sql`status in ('failure', 'cancelled') and ${isUnusedPayment()}`,
      ),
    ],
  },
  payment_claim: {
    purge: [
      purgeRows(
        "payment_claim",
        sql`not exists (select 1 from payment where payment.uid = payment_claim.payment_uid)`,
        "reference",
      ),
    ],
  },
  stripe_customer: { kept: "of an account, until a job has deleted it at the provider too" },
  stripe_event: { purge: [purgeRows("stripe_event", isOldEvent, "id")] },
  contract_notice: {
    purge: [
      purgeOlder("contract_notice", "received_at", NOTICE),
      purgeOlder(
        "contract_notice",
        "received_at",
        NOTICE_OF_NO_CONTRACT,
        sql`subscription_uid is null`,
      ),
    ],
  },

  ticket: {
    purge: [
      purgeTickets("last_at", CONTACT_TICKET),
      purgeTickets("closed_at", UNANSWERED_TICKET, sql`last_coach_seq = 0`),
    ],
  },
  ticket_message: { with: "ticket" },
  ticket_word: { with: "ticket" },
  ticket_count: { kept: "one row for each kind and status" },
  support_link: { purge: [purgeOlder("support_link", "created_at", SUPPORT_LINK)] },
  support_link_request: { purge: [purgeOlder("support_link_request", "requested_at", REQUEST)] },

  bank_page: {
    purge: [
      purgeOlder(
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
  mail: { purge: [purgeOlder("mail", "created_at", MAIL)] },
  mail_attempt: { purge: [purgeOlder("mail_attempt", "at", MAIL_ATTEMPT)] },
  limited_event: { purge: [purgeRows("limited_event", isOutOfWindow)] },
  job: { purge: [purgeOlder("job", "done_at", DONE_JOB)] },
};

/** Deletes erased accounts that no payment or subscription refers to any more. */
async function deleteErasedAccounts(options: Options) {
  const nobody = sql`status = 'deleted'
    and not exists (select 1 from payment where payment.account_uid = account.uid)
    and not exists (select 1 from subscription where subscription.account_uid = account.uid)`;
  return purgeRows("account", nobody)(options);
}

/** Erases accounts that never paid and were not used for long; their e-mail may be somebody else's. */
async function eraseUnusedAccounts({ db, clock, subjects }: Options) {
  const isUnusedPayment = await sql<{ uid: string }>`select uid from account
    where status = 'active' and coalesce(last_sign_in_at, created_at) < ${isoBefore(clock, UNUSED_ACCOUNT)}
    and not exists (select 1 from payment where payment.account_uid = account.uid)
    and not exists (select 1 from subscription where subscription.account_uid = account.uid)
    and not exists (select 1 from account_session where account_session.account_uid = account.uid)
    and not exists (select 1 from account_role where account_role.account_uid = account.uid)
    limit ${sql.lit(SMALL_BATCH)}`.execute(db);
  for (const { uid } of isUnusedPayment.rows) {
    await inTransaction({ db, clock, subjects }, (within) => eraseAccount(within, uid));
  }
  return isUnusedPayment.rows.length === SMALL_BATCH;
}

/** Deletes old contact tickets; discussions are erased with their account. */
function purgeTickets(
  column: "last_at" | "closed_at",
  age: Age,
  extraCondition = sql`1 = 1`,
): Purge {
  return ({ db, clock }) =>
    db.transaction().execute(async (transaction) => {
      const old = await sql<{ uid: string }>`select uid from ticket
        where type = 'contact' and ${sql.ref(column)} < ${isoBefore(clock, age)} and ${extraCondition}
        limit ${sql.lit(SMALL_BATCH)}`.execute(transaction);
      await deleteTickets(
        transaction,
        old.rows.map(({ uid }) => uid),
      );
      return old.rows.length === SMALL_BATCH;
    });
}

/** Condition for events outside the window of their rule: they contain addresses. */
function isOutOfWindow({ clock }: Options) {
  const over = Object.values(rules).map((rule) => {
    const since = new Date(clock.now().getTime() - rule.windowMs).toISOString();
    return sql`(scope in (${sql.join(scopesOf(rule))}) and at <= ${since})`;
  });
  return sql`${sql.join(over, sql` or `)} or at < ${isoBefore(clock, REMOVED_RULE)}`;
}

function isOldEvent({ clock }: Options) {
  return sql`received_at < ${isoBefore(clock, PROVIDER_EVENT)}`;
}

/** Condition for payments that no subscription and no refund refers to. */
function isUnusedPayment() {
  return sql`not exists (select 1 from subscription where subscription.payment_uid = payment.uid)
    and not exists (select 1 from refund where refund.payment_uid = payment.uid)`;
}

function purgeOlder(
  table: keyof Tables,
  column: string,
  age: Age,
  extraCondition = sql`1 = 1`,
): Purge {
  return purgeRows(
    table,
    ({ clock }) => sql`${sql.ref(column)} < ${isoBefore(clock, age)} and ${extraCondition}`,
  );
}

type Condition = RawBuilder<unknown>;

function purgeRows(
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

function isoBefore(clock: Clock, age: Age): string {
  const moment = clock.now();
  if ("days" in age) moment.setUTCDate(moment.getUTCDate() - age.days);
  if ("months" in age) moment.setUTCMonth(moment.getUTCMonth() - age.months);
  if ("years" in age) moment.setUTCFullYear(moment.getUTCFullYear() - age.years);
  return moment.toISOString();
}
