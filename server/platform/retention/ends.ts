import { sql, type RawBuilder } from "kysely";
import { startOfYear } from "../../../app/contract/calendar";
import { knownSince } from "../accounts/known-address";
import { liveSince } from "../accounts/session-life";
import type { Tables } from "../database/tables";
import * as rules from "../limits/rules";
import { scopesOf } from "../limits/limit";
import { UNSENT_MAIL } from "../mail/sending";
import { MAIL_FOR_PEOPLE } from "../inbound/folders";
import { FORGOTTEN_SENDER, NOTICE_SENDER } from "../notices/sender";
import { UNSETTLED_SQL } from "../money/payments";
import { contractOfNotice } from "../subscriptions/pending-notices";
import { LINK_DAYS } from "../support/contact-link";
import { deleteTickets } from "../support/deletion";
import { isWithoutCredit, OWED_REFUND } from "../accounts/deletion";
import { isoBefore, type Age } from "../ports/age";
import {
  announceDeletions,
  eraseIdleAccounts,
  eraseUnusedAccounts,
  IDLE_ACCOUNT,
  IDLE_NOTICE,
  UNUSED_ACCOUNT,
} from "./idle-accounts";
import type { RetentionContext as Options } from "./context";

/**
 * `run` deletes a batch of expired rows, and returns whether there may be more.
 * `isDue` is the condition that there are any, so that one statement asks for all tables; without it `run` looks.
 */
export type Purge = {
  isDue?: (options: Options) => Condition;
  run: (options: Options) => Promise<boolean>;
};

type Condition = RawBuilder<unknown>;

/**
 * How rows of a table end: purged, deleted with another table, or kept for a reason. While there are rows that end
 * within days, a purge runs every day; those that are purged monthly may stay a month longer.
 */
type End =
  { daily: readonly Purge[] } | { monthly: readonly Purge[] } | { with: string } | { kept: string };

/** Rows deleted in one statement, so that no lock lasts long. */
const BATCH = 500;
/** Tickets and accounts have many dependent rows. */
const SMALL_BATCH = 50;

/** A contact link is kept after its end, so that its page can say that it has expired. */
const EXPIRED_LINK = { days: 30 };

/**
 * The delays after which rows end. docs/retention.md lists each with its job and with the sentence of the
 * privacy page that promises it.
 */
export const DELAYS = {
  unusedAccount: UNUSED_ACCOUNT,
  /** After the last message of a contact ticket, whether it was closed or not. */
  contactTicket: { years: 3 },
  /** After a ticket was closed without an answer: most of these are spam. */
  unansweredTicket: { months: 12 },
  /** Limitation period of contract claims: five years (article 2224 of the civil code). */
  notice: { years: 5 },
  /** After the end of the contract: the limitation period of claims from it. */
  contractProof: { years: 5 },
  /** The same for a contract of 120 € or more (articles L213-1, D213-1 and D213-2 of the consumer code). */
  largeContractProof: { years: 10 },
  /** A notice that matched no contract: its sender may have mistyped the e-mail and need the proof. */
  noticeOfNoContract: { months: 12 },
  noticeSender: NOTICE_SENDER,
  owedRefund: OWED_REFUND,
  /** Accounting records, from the end of their year: ten years (article L123-22 of the commercial code). */
  books: { years: 10 },
  /** Events of a limit that no longer exists in the program. */
  removedRule: { days: 30 },
  /**
   * A card payment may be contested for 13 months (article L133-24 of the monetary and financial
   * code).
   */
  refusedPayment: { months: 13 },
  /** An order that was undecided when its account was erased: its money is claimed, or contested, by then. */
  erasedPayer: { months: 13 },
  /** Longer than a provider repeats notifications, because the key of a done job prevents a second run. */
  doneJob: { days: 30 },
  /** The text is deleted after sending, or when the mail is given up; the rest is a technical record, also of strangers' addresses. */
  mail: { months: 12 },
  unsentMail: UNSENT_MAIL,
  /** A mail in the mailbox for replies that a person reads. */
  mailForPeople: MAIL_FOR_PEOPLE,
  /** An inbound mail that nobody delivers any more. */
  mailAttempt: { days: 30 },
  /** Stripe repeats an event for three days, its dashboard for thirty. */
  providerEvent: { days: 30 },
  supportLink: { days: LINK_DAYS + EXPIRED_LINK.days },
  /** A job handles a request at once. An older request belongs to a job that keeps failing. */
  request: { days: 1 },
  idleAccount: IDLE_ACCOUNT,
  idleNotice: IDLE_NOTICE,
} as const satisfies Record<string, Age>;

const RULES = Object.values(rules);
const WINDOWS = [...new Set(RULES.map(({ windowMs }) => windowMs))];

/** Amount in cents from which a contract concluded online is kept longer (article D213-1). */
export const LARGE_CONTRACT = 12_000;

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
  waiting_article: CONTENT,
  waiting_relation: CONTENT,
  article_search: CONTENT,
  article_token: CONTENT,
  article_word: CONTENT,
  page: CONTENT,
  media: CONTENT,
  image: CONTENT,
  image_file: CONTENT,
  redirection: CONTENT,
  content_source: CONTENT,
  terms_version: { kept: "the text that contracts refer to, without people" },

  formula: OFFER,
  traffic_token: OFFER,

  account: {
    monthly: [
      { run: eraseUnusedAccounts },
      { run: announceDeletions },
      { run: eraseIdleAccounts },
      purgeRows(
        "account",
        sql`status = 'deleted'
          and not exists (select 1 from payment where payment.account_uid = account.uid)
          and not exists (select 1 from subscription where subscription.account_uid = account.uid)`,
      ),
    ],
  },
  account_session: {
    daily: [
      {
        isDue: (options) => sql`exists (select 1 from account_session where ${isEnded(options)})`,
        run: purgeSessions,
      },
    ],
  },
  account_address: {
    daily: [
      purgeRows(
        "account_address",
        ({ clock }) => sql`seen_at <= ${knownSince(clock.now())}`,
        "address_key",
      ),
    ],
  },
  account_role: { with: "account, or when the role is revoked" },
  password_reset: {
    daily: [
      purgeRows("password_reset", ({ clock }) => sql`expires_at <= ${clock.now().toISOString()}`),
    ],
  },
  password_reset_request: {
    daily: [purgeOlder("password_reset_request", "requested_at", DELAYS.request)],
  },
  address_release: {
    daily: [
      purgeRows("address_release", ({ clock }) => sql`expires_at <= ${clock.now().toISOString()}`),
    ],
  },
  email_change: {
    daily: [
      purgeRows("email_change", ({ clock }) => sql`expires_at <= ${clock.now().toISOString()}`),
    ],
  },

  subscription: {
    monthly: [purgeRows("subscription", (options) => sql`ended_at < ${closedYears(options)}`)],
  },
  contract_proof: { monthly: [purgeRows("contract_proof", isOfOldContract, "subscription_uid")] },
  contract_mail: {
    monthly: [
      purgeRows(
        "contract_mail",
        (options) =>
          sql`(${isNoReceipt()} and (${isOfOldContract(options)}))
            or (not ${isNoReceipt()} and created_at < ${closedYears(options)})`,
      ),
      { run: clearTyped },
    ],
  },
  // Who ordered a refund and why belongs to the books, like the refund.
  refund: {
    monthly: [purgeRows("refund", (options) => sql`created_at < ${closedYears(options)}`)],
  },
  payment: {
    monthly: [
      purgeRows(
        "payment",
        (options) => sql`created_at < ${closedYears(options)}
          and status not in ${UNSETTLED_SQL} and ${isUnusedPayment()}`,
      ),
      purgeOlder(
        "payment",
        "created_at",
        DELAYS.refusedPayment,
        sql`status in ('failure', 'cancelled') and ${isUnusedPayment()}`,
      ),
      { run: clearPayers },
      { run: clearAffiliations },
    ],
  },
  credit: {
    monthly: [
      purgeRows(
        "credit",
        sql`not exists (select 1 from subscription where subscription.uid = credit.subscription_uid)`,
        "subscription_uid",
      ),
    ],
  },
  payment_claim: {
    monthly: [
      purgeRows(
        "payment_claim",
        sql`not exists (select 1 from payment where payment.uid = payment_claim.payment_uid)`,
        "reference",
      ),
    ],
  },
  stripe_customer: { kept: "of an account, until a job has deleted it at the provider too" },
  stripe_event: { monthly: [purgeRows("stripe_event", isOldEvent, "id")] },
  contract_notice: {
    monthly: [
      purgeOlder("contract_notice", "received_at", DELAYS.notice),
      purgeOlder(
        "contract_notice",
        "received_at",
        DELAYS.noticeOfNoContract,
        sql`${contractOfNotice} is null`,
      ),
      {
        isDue: (options) =>
          sql`exists (select 1 from contract_notice where ${isToForget(options)})`,
        run: clearSenders,
      },
      {
        isDue: (options) =>
          sql`exists (select 1 from contract_notice where ${isNetworkToForget(options)})`,
        run: clearNetworks,
      },
    ],
  },

  ticket: {
    monthly: [
      purgeTickets("last_at", DELAYS.contactTicket),
      purgeTickets("closed_at", DELAYS.unansweredTicket, sql`last_coach_seq = 0`),
    ],
  },
  ticket_message: { with: "ticket" },
  ticket_word: { with: "ticket" },
  sensitive_consent: { with: "account: it proves that its discussions may be stored" },
  ticket_count: { kept: "one row for each kind and status" },
  support_link: { daily: [purgeOlder("support_link", "expires_at", EXPIRED_LINK)] },
  support_link_request: {
    daily: [purgeOlder("support_link_request", "requested_at", DELAYS.request)],
  },

  bank_page: {
    monthly: [
      purgeOlder(
        "bank_page",
        "created_at",
        DELAYS.refusedPayment,
        sql`status not in ('challenge', 'pending')`,
      ),
    ],
  },
  bank_card: { kept: "the sandbox bank's own: a renewal may charge it" },
  bank_movement: { kept: "the sandbox bank's own ledger" },

  confirmed_origin: { kept: "confirmed and forgotten by the owner of the site" },
  seed_entry: { kept: "one row for each entry of the seeds" },
  setting: { kept: "one row for each name, and the program defines the names" },
  mail: { monthly: [purgeOlder("mail", "created_at", DELAYS.mail), { run: clearUnsentTexts }] },
  mail_attempt: { monthly: [purgeOlder("mail_attempt", "at", DELAYS.mailAttempt)] },
  limited_event: {
    daily: [
      ...WINDOWS.map((windowMs) => purgeRows("limited_event", isOutOfWindow(windowMs))),
      purgeOlder("limited_event", "at", DELAYS.removedRule),
    ],
  },
  job: { monthly: [purgeOlder("job", "done_at", DELAYS.doneJob)] },
};

// Both as times: SQLite uses no index for "is not null".
const isEnded = ({ clock }: Options) =>
  sql`(ended_at <= ${clock.now().toISOString()} or last_seen_at <= ${liveSince(clock.now())})`;

/** Deletes sessions that are over; the last visit stays at their account, which ends some time after it. */
async function purgeSessions(options: Options) {
  const isOver = isEnded(options);
  return options.db.transaction().execute(async (transaction) => {
    const over = await sql<{ uid: string; account_uid: string; last_seen_at: string }>`select
      uid, account_uid, last_seen_at from account_session
      where ${isOver} limit ${sql.lit(BATCH)}`.execute(transaction);
    // Accounts first, like whoever ends sessions, and in one order: nobody waits for each other then.
    const visits = over.rows.toSorted((a, b) => (a.account_uid < b.account_uid ? -1 : 1));
    for (const { account_uid, last_seen_at } of visits) {
      await transaction
        .updateTable("account")
        .set({ last_visit_at: last_seen_at })
        .where("uid", "=", account_uid)
        .where("status", "!=", "deleted")
        .where((e) => e.or([e("last_visit_at", "is", null), e("last_visit_at", "<", last_seen_at)]))
        .execute();
    }
    const uids = visits.map(({ uid }) => uid);
    if (uids.length > 0) {
      await sql`delete from account_session
        where uid in (${sql.join(uids)}) and ${isOver}`.execute(transaction);
    }
    return uids.length === BATCH;
  });
}

/** Notices whose sender is known by its network address, for too long. */
const isToForget = ({ clock }: Options) =>
  sql`signed_in = 0 and sender_key is not null and sender_key <> ${sql.lit(FORGOTTEN_SENDER)}
    and received_at <= ${isoBefore(clock, DELAYS.noticeSender)}`;

/** Notices whose network is known for too long, whoever sent them. */
const isNetworkToForget = ({ clock }: Options) =>
  sql`network_key is not null
    and received_at <= ${isoBefore(clock, DELAYS.noticeSender)}`;

/** Clears the hashes of the network that a notice came from; that of an account that sent it stays. */
async function clearNetworks(options: Options) {
  const cleared = await sql`update contract_notice set network_key = null
    where uid in (select uid from contract_notice
      where ${isNetworkToForget(options)} limit ${sql.lit(BATCH)})
    returning uid`.execute(options.db);
  return cleared.rows.length === BATCH;
}

/** Clears the hashes of the network address that sent a notice without sign-in. */
async function clearSenders(options: Options) {
  const cleared =
    await sql`update contract_notice set sender_key = ${FORGOTTEN_SENDER}, network_key = null
    where uid in (select uid from contract_notice
      where ${isToForget(options)} limit ${sql.lit(BATCH)})
    returning uid`.execute(options.db);
  return cleared.rows.length === BATCH;
}

/**
 * Leaves of an archived mail what its export gives, once the notice that it quotes is over: what somebody else typed is
 * kept no longer than the notice.
 */
async function clearTyped({ db, clock }: Options) {
  const cleared = await sql`update contract_mail set text = export_text, export_text = null
    where uid in (select uid from contract_mail
      where created_at < ${isoBefore(clock, DELAYS.notice)} and export_text is not null
      limit ${sql.lit(BATCH)})
    returning uid`.execute(db);
  return cleared.rows.length === BATCH;
}

/** Clears the e-mail of an erased person's order whose refund was never made. */
async function clearPayers({ db, clock }: Options) {
  const cleared = await sql`update payment set payer_email = null
    where uid in (select uid from payment
      where payer_email is not null and created_at < ${isoBefore(clock, DELAYS.erasedPayer)}
      limit ${sql.lit(BATCH)})
    returning uid`.execute(db);
  return cleared.rows.length === BATCH;
}

/** Clears a partner's identifier of erased persons whose cashback was lost since; without one it goes with the account. */
async function clearAffiliations({ db }: Options) {
  const cleared = await sql`update payment set affiliation_token = null, affiliation_platform = null
    where uid in (select uid from payment
      where affiliation_token is not null and ${isWithoutCredit}
        and account_uid in (select uid from account where status = 'deleted')
      limit ${sql.lit(BATCH)})
    returning uid`.execute(db);
  return cleared.rows.length === BATCH;
}

/** Clears the text of mails that no job tries any more; a job that does clears its own. */
async function clearUnsentTexts({ db, clock }: Options) {
  const now = clock.now().toISOString();
  const cleared = await sql`update mail
    set text = '', html = '', given_up_at = coalesce(given_up_at, ${now})
    where uid in (select uid from mail
      where sent_at is null and text <> '' and created_at <= ${isoBefore(clock, DELAYS.unsentMail)}
      limit ${sql.lit(BATCH)})
    returning uid`.execute(db);
  return cleared.rows.length === BATCH;
}

/** Deletes old contact tickets; discussions are erased with their account. */
function purgeTickets(
  column: "last_at" | "closed_at",
  age: Age,
  extraCondition = sql`1 = 1`,
): Purge {
  const isOver = ({ clock }: Options) =>
    sql`type = 'contact' and ${sql.ref(column)} < ${isoBefore(clock, age)} and ${extraCondition}`;
  return {
    isDue: (options) => sql`exists (select 1 from ticket where ${isOver(options)})`,
    run: (options) =>
      options.db.transaction().execute(async (transaction) => {
        const old = await sql<{ uid: string }>`select uid from ticket
          where ${isOver(options)} limit ${sql.lit(SMALL_BATCH)}`.execute(transaction);
        await deleteTickets(
          transaction,
          old.rows.map(({ uid }) => uid),
        );
        return old.rows.length === SMALL_BATCH;
      }),
  };
}

/**
 * Condition for events of the rules with this window that are outside of it: they contain addresses. Each window is
 * purged alone: for a condition of all of them PostgreSQL collects every expired event before it deletes a batch.
 */
function isOutOfWindow(windowMs: number) {
  const scopes = RULES.filter((rule) => rule.windowMs === windowMs).flatMap(scopesOf);
  return ({ clock }: Options) => {
    const since = new Date(clock.now().getTime() - windowMs).toISOString();
    return sql`scope in (${sql.join(scopes)}) and at <= ${since}`;
  };
}

function isOldEvent({ clock }: Options) {
  return sql`received_at < ${isoBefore(clock, DELAYS.providerEvent)}`;
}

/**
 * Condition for the archive of a contract that ended long ago; it outlives the profile until then. A
 * contract is large by the price of a period or by its first charge. One whose subscription has left the
 * books ended ten years ago.
 */
function isOfOldContract({ clock }: Options) {
  return sql`subscription_uid in (select subscription.uid from subscription
      where ended_at < ${isoBefore(clock, DELAYS.largeContractProof)}
        or (ended_at < ${isoBefore(clock, DELAYS.contractProof)}
          and amount < ${LARGE_CONTRACT} and coalesce(trial_amount, 0) < ${LARGE_CONTRACT}
          and not exists (select 1 from payment
            where payment.uid = subscription.payment_uid and payment.amount >= ${LARGE_CONTRACT})))
    or subscription_uid not in (select uid from subscription)`;
}

/** Records of the books count from the end of their calendar year, which is the accounting year. */
const closedYears = ({ clock }: Options) =>
  startOfYear(clock.now(), -DELAYS.books.years).toISOString();

/** Receipts are the only records with the client and the VAT: they belong to the books, while a contract runs, too. */
const isNoReceipt = () => sql`kind not in ('receipt', 'refund', 'refund-failed', 'repaid')`;

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

function purgeRows(
  table: keyof Tables,
  over: Condition | ((options: Options) => Condition),
  key = "uid",
): Purge {
  const [from, name] = [sql.table(table), sql.ref(key)];
  const isOver = (options: Options) => (typeof over === "function" ? over(options) : over);
  return {
    isDue: (options) => sql`exists (select 1 from ${from} where ${isOver(options)})`,
    run: async (options) => {
      const gone = await sql`delete from ${from} where ${name} in
        (select ${name} from ${from} where ${isOver(options)} limit ${sql.lit(BATCH)})
        returning ${name}`.execute(options.db);
      return gone.rows.length === BATCH;
    },
  };
}
