import { chmodSync, closeSync, existsSync, mkdirSync, openSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Kysely, sql } from "kysely";
import { openPostgres, type PostgresOptions } from "./postgres";
import { reasonOf } from "./reason";
import { sqliteDialect } from "./sqlite";
import type { Database, Tables } from "./tables";

export type DatabaseOptions = PostgresOptions & {
  databaseUrl?: string | undefined;
  dataDir: string;
};

/**
 * Opens PostgreSQL (`postgres://…`) or the embedded SQLite file of `dataDir`.
 * @throws Error in one sentence that says what to correct
 */
export async function openDatabase({
  databaseUrl,
  dataDir,
  ...options
}: DatabaseOptions): Promise<Database> {
  return databaseUrl ? openPostgres(databaseUrl, options) : openSqlite(dataDir);
}

/** Tells whether the SQLite file exists; a PostgreSQL database is assumed to exist. */
export const hasDatabase = ({ databaseUrl, dataDir }: DatabaseOptions) =>
  databaseUrl !== undefined || existsSync(fileIn(dataDir));

const fileIn = (dataDir: string) => join(dataDir, "cap-celeste.db");

/** Who asks whether the site is ready waits two seconds. */
const FAULT_MS = 1_500;

/** Why the database does not answer; null when it does. */
export async function databaseFault(database: Database): Promise<string | null> {
  const answer = sql`select 1`.execute(database).then(
    () => null,
    (error: unknown) => `The database does not answer: ${reasonOf(error)}`,
  );
  const silence = pause(FAULT_MS, `The database does not answer within ${FAULT_MS} ms`, {
    ref: false,
  });
  return Promise.race([answer, silence]);
}

/**
 * PostgreSQL error classes about the server, not the statement: connection, resources, concurrent
 * transactions, operator and system (PostgreSQL manual, appendix A). Of other classes: a server that became a
 * standby, a transaction that stood still, and a password that is being changed.
 */
const SERVER_ERROR = /^(?:08|40|53|55|57|58|25006$|25P03$|28P01$)/;
/** Messages of `pg` and SQLite about the connection that come without an error code. */
const CONNECTION_MESSAGE =
  /^(?:connection terminated|query read timeout|client (?:has encountered a connection error|was closed) and is not queryable|timeout exceeded when trying to connect|database is locked|driver has already been destroyed|cannot use a pool after calling end)/i;
const SQLITE_ERROR = /^SQLITE_(?:BUSY|LOCKED|FULL|IOERR|CANTOPEN|READONLY|NOMEM)/;
const NETWORK_ERROR = /^(?:ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_)/;

/**
 * Tells whether a statement failed because the database is unavailable, not because of the
 * statement.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (CONNECTION_MESSAGE.test(error.message)) return true;
  if (!("code" in error) || typeof error.code !== "string") return false;
  const { code } = error;
  return [SERVER_ERROR, SQLITE_ERROR, NETWORK_ERROR].some((pattern) => pattern.test(code));
}

/** All that people entrusted to the site is in it. SQLite gives the files beside it the same mode. */
function keepPrivate(file: string) {
  closeSync(openSync(file, "a", 0o600));
  if ((statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600);
}

function openSqlite(dataDir: string): Database {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    keepPrivate(fileIn(dataDir));
    return new Kysely<Tables>({ dialect: sqliteDialect(fileIn(dataDir)) });
  } catch (error) {
    throw new Error(
      `DATA_DIR: cannot write to ${dataDir} (${reasonOf(error)}); choose a folder this user may write to`,
    );
  }
}
