import { sql, type Migration } from "kysely";
import * as content from "./migrations/0001-content";
import * as accounts from "./migrations/0002-accounts";
import * as subscriptions from "./migrations/0003-subscriptions";
import * as bank from "./migrations/0004-bank";
import * as jobs from "./migrations/0005-jobs";
import * as contentSource from "./migrations/0006-content-source";
import * as money from "./migrations/0007-money";
import * as life from "./migrations/0008-life";
import * as tidy from "./migrations/0009-tidy";
import * as access from "./migrations/0010-accounts";
import * as support from "./migrations/0011-support";
import * as people from "./migrations/0012-people";
import * as retention from "./migrations/0013-retention";
import * as origins from "./migrations/0014-origins";
import * as charges from "./migrations/0015-charges";
import * as mailAttempts from "./migrations/0016-mail-attempts";
import * as reversals from "./migrations/0017-reversals";
import * as paidPeriods from "./migrations/0018-paid-periods";
import * as offers from "./migrations/0019-offers";
import * as seedEntries from "./migrations/0020-seed-entries";
import * as terms from "./migrations/0021-terms";
import * as proof from "./migrations/0022-proof";
import * as creditTerms from "./migrations/0023-credit-terms";
import * as credits from "./migrations/0024-credits";
import * as idleAccounts from "./migrations/0025-idle-accounts";
import * as sensitiveConsent from "./migrations/0026-sensitive-consent";
import * as noticeMails from "./migrations/0027-notice-mails";
import * as exportedMails from "./migrations/0028-exported-mails";
import * as toldTerms from "./migrations/0029-told-terms";
import * as pageWords from "./migrations/0030-page-words";
import * as creditReclaims from "./migrations/0031-credit-reclaims";
import * as unansweredMails from "./migrations/0032-unanswered-mails";
import * as refusedMails from "./migrations/0033-refused-mails";
import * as termsDates from "./migrations/0034-terms-dates";
import * as contactSenders from "./migrations/0035-contact-senders";
import * as archivedMailState from "./migrations/0039-archived-mail-state";
import * as termsAgreement from "./migrations/0040-terms-agreement";
import * as catchUp from "./migrations/0041-catch-up";
import * as orderTimes from "./migrations/0042-order-times";
import * as articleLists from "./migrations/0043-article-lists";
import * as settledWithdrawals from "./migrations/0044-settled-withdrawals";
import * as jobKeys from "./migrations/0045-job-keys";
import * as articleSearch from "./migrations/0046-article-search";
import * as orderedRefunds from "./migrations/0047-ordered-refunds";
import * as reversalChecks from "./migrations/0048-reversal-checks";
import * as unsentTerms from "./migrations/0049-unsent-terms";
import * as correctedEmails from "./migrations/0050-corrected-emails";
import * as waitingArticles from "./migrations/0051-waiting-articles";
import * as askedCharges from "./migrations/0052-asked-charges";
import * as lastVisits from "./migrations/0053-last-visits";
import * as limitRows from "./migrations/0054-limit-rows";
import * as repaidRefunds from "./migrations/0055-repaid-refunds";
import * as noticeNetworks from "./migrations/0056-notice-networks";
import * as sellersOfReceipts from "./migrations/0057-sellers-of-receipts";
import * as payersOfUndecidedOrders from "./migrations/0058-payers-of-undecided-orders";
import * as images from "./migrations/0059-images";
import * as unannouncedRenewals from "./migrations/0060-unannounced-renewals";
import * as rowsOfStrangers from "./migrations/0061-rows-of-strangers";
import * as expiredRows from "./migrations/0062-expired-rows";
import * as networksOfAccounts from "./migrations/0063-networks-of-accounts";
import * as removedCards from "./migrations/0064-removed-cards";
import * as trimmedReplies from "./migrations/0065-trimmed-replies";
import * as emailChanges from "./migrations/0066-email-changes";
import * as openedDiscussions from "./migrations/0067-opened-discussions";
import { hasTable, isPostgres } from "./dialect";
import { refuseUnfinishedRestore } from "./restore-mark";
import type { Database } from "./tables";

/** In the order in which they run, which is that of their names (docs/migrations.md). */
export const MIGRATIONS: Record<string, Migration> = {
  "0001-content": content,
  "0002-accounts": accounts,
  "0003-subscriptions": subscriptions,
  "0004-bank": bank,
  "0005-jobs": jobs,
  "0006-content-source": contentSource,
  "0007-money": money,
  "0008-life": life,
  "0009-tidy": tidy,
  "0010-accounts": access,
  "0011-support": support,
  "0012-people": people,
  "0013-retention": retention,
  "0014-origins": origins,
  "0015-charges": charges,
  "0016-mail-attempts": mailAttempts,
  "0017-reversals": reversals,
  "0018-paid-periods": paidPeriods,
  "0019-offers": offers,
  "0020-seed-entries": seedEntries,
  "0021-terms": terms,
  "0022-proof": proof,
  "0023-credit-terms": creditTerms,
  "0024-credits": credits,
  "0025-idle-accounts": idleAccounts,
  "0026-sensitive-consent": sensitiveConsent,
  "0027-notice-mails": noticeMails,
  "0028-exported-mails": exportedMails,
  "0029-told-terms": toldTerms,
  "0030-page-words": pageWords,
  "0031-credit-reclaims": creditReclaims,
  "0032-unanswered-mails": unansweredMails,
  "0033-refused-mails": refusedMails,
  "0034-terms-dates": termsDates,
  "0035-contact-senders": contactSenders,
  "0039-archived-mail-state": archivedMailState,
  "0040-terms-agreement": termsAgreement,
  "0041-catch-up": catchUp,
  "0042-order-times": orderTimes,
  "0043-article-lists": articleLists,
  "0044-settled-withdrawals": settledWithdrawals,
  "0045-job-keys": jobKeys,
  "0046-article-search": articleSearch,
  "0047-ordered-refunds": orderedRefunds,
  "0048-reversal-checks": reversalChecks,
  "0049-unsent-terms": unsentTerms,
  "0050-corrected-emails": correctedEmails,
  "0051-waiting-articles": waitingArticles,
  "0052-asked-charges": askedCharges,
  "0053-last-visits": lastVisits,
  "0054-limit-rows": limitRows,
  "0055-repaid-refunds": repaidRefunds,
  "0056-notice-networks": noticeNetworks,
  "0057-sellers-of-receipts": sellersOfReceipts,
  "0058-payers-of-undecided-orders": payersOfUndecidedOrders,
  "0059-images": images,
  "0060-unannounced-renewals": unannouncedRenewals,
  "0061-rows-of-strangers": rowsOfStrangers,
  "0062-expired-rows": expiredRows,
  "0063-networks-of-accounts": networksOfAccounts,
  "0064-removed-cards": removedCards,
  "0065-trimmed-replies": trimmedReplies,
  "0066-email-changes": emailChanges,
  "0067-opened-discussions": openedDiscussions,
};

/** PostgreSQL's lock for migrations; releases that used Kysely's `Migrator` wait for the same one. */
const LOCK = sql.lit("3853314791062309107");

/** The table in which Kysely's `Migrator` noted what ran. */
const LOG = "kysely_migration";
type Executed = { [LOG]: { name: string; timestamp: string } };

/**
 * Runs the missing migrations in order, all in one transaction. If it is the caller's, the caller decides
 * whether they stay. A second process waits, and so does one for a backup; nobody waits where none is missing.
 * @throws Error in one sentence when another release has used the database, a restore into it has not ended, or others
 *   keep it for too long
 */
export async function migrate(db: Database): Promise<void> {
  if (!db.isTransaction) return db.transaction().execute(migrate);
  const known = await readExecuted(db);
  if (known && findMissing(known).length === 0) return;
  await refuseUnfinishedRestore(db);
  await lockMigrations(db);
  const executed = await readExecuted(db);
  if (!executed) await createLog(db);
  await run(db, findMissing(executed ?? []));
}

/** Does the work while no migration runs; it may read another moment than a transaction of this one's. */
export async function withoutMigrations<T>(db: Database, work: () => Promise<T>): Promise<T> {
  if (!isPostgres(db)) return work();
  return db.transaction().execute(async (holding) => {
    await sql`select pg_advisory_xact_lock_shared(${LOCK})`.execute(holding);
    return work();
  });
}

/**
 * Brings an empty database to where another one stood, in the caller's transaction.
 * @param executed the migrations that had run there
 * @throws Error in one sentence when another release had used it
 */
export async function migrateTo(db: Database, executed: readonly string[]): Promise<void> {
  const missing = findMissing(executed).length;
  await lockMigrations(db);
  if (!(await readExecuted(db))) await createLog(db);
  await run(db, Object.entries(MIGRATIONS).slice(0, -missing || undefined));
}

async function run(db: Database, migrations: readonly [string, Migration][]) {
  await limitWait(db, TABLE_WAIT);
  for (const [name, migration] of migrations) {
    await explainWait(name, async () => {
      await migration.up(db);
      const timestamp = new Date().toISOString();
      await db.withTables<Executed>().insertInto(LOG).values({ name, timestamp }).execute();
    });
  }
  await limitWait(db, NO_LIMIT);
}

/** Whether no release has started with this database yet. */
export const isNewDatabase = async (db: Database) => !(await readExecuted(db))?.length;

/** SQLite has one writer at a time, so its transaction is the lock. */
async function lockMigrations(db: Database) {
  if (!isPostgres(db)) return;
  await limitWait(db, OTHERS_WAIT);
  await explainWait("", () => sql`select pg_advisory_xact_lock(${LOCK})`.execute(db));
}

/** For a backup, or the migrations of another process. */
const OTHERS_WAIT = "5min";
/** For a table: people who want to read it wait behind whoever waits to change it. */
const TABLE_WAIT = "10s";
const NO_LIMIT = "0";

/** Limits how long statements of this transaction wait for locks. A limit that the owner set for PostgreSQL stays. */
async function limitWait(db: Database, limit: string) {
  if (!isPostgres(db)) return;
  await sql`
    select set_config('lock_timeout', ${limit}, true) from pg_settings
    where name = 'lock_timeout' and reset_val = '0'
  `.execute(db);
}

const LOCK_NOT_AVAILABLE = "55P03";

async function explainWait(name: string, work: () => Promise<unknown>) {
  try {
    await work();
  } catch (error) {
    const isWait = error instanceof Error && "code" in error && error.code === LOCK_NOT_AVAILABLE;
    if (!isWait) throw error;
    const other = name
      ? `a long transaction holds what migration ${name} changes (see pg_stat_activity): end it`
      : "a backup or the start of another process holds the database: wait for its end";
    throw new Error(
      `The database was not migrated and is as it was, because ${other}, then start again`,
      {
        cause: error,
      },
    );
  }
}

/** Names of the migrations that ran; undefined where nothing ever noted any. */
export async function readExecuted(db: Database): Promise<string[] | undefined> {
  if (!(await hasTable(db, LOG))) return undefined;
  const rows = await db.withTables<Executed>().selectFrom(LOG).select("name").execute();
  return rows.map(({ name }) => name);
}

const createLog = (db: Database) =>
  db.schema
    .createTable(LOG)
    .addColumn("name", "varchar(255)", (column) => column.notNull().primaryKey())
    .addColumn("timestamp", "varchar(255)", (column) => column.notNull())
    .execute();

/** What ran must be the first part of the list: a migration relies on all that stand before it. */
export function findMissing(executed: readonly string[]): [string, Migration][] {
  const all = Object.entries(MIGRATIONS);
  const newer = executed.find((name) => !Object.hasOwn(MIGRATIONS, name));
  if (newer !== undefined) {
    throw new Error(
      `The database belongs to a newer release (${newer} is unknown here): start that release again, or restore the copy made before the upgrade`,
    );
  }
  const skipped = all.slice(0, executed.length).find(([name]) => !executed.includes(name));
  if (skipped) {
    throw new Error(
      `The database skipped migration ${skipped[0]} but ran later ones: start the release it belongs to, or restore the copy made before the upgrade`,
    );
  }
  return all.slice(executed.length);
}
