import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { Kysely, PostgresDialect, sql } from "kysely";
import type { Log } from "../ports/log";
import { sqliteDialect } from "./sqlite";
import type { Database, Tables } from "./tables";

const INT8 = 20;

export type DatabaseOptions = {
  databaseUrl?: string | undefined;
  dataDir: string;
  log?: Log | undefined;
};

/**
 * Opens PostgreSQL (`postgres://…`) or the embedded SQLite file of `dataDir`.
 * @throws Error in one sentence that says what to correct
 */
export async function openDatabase({
  databaseUrl,
  dataDir,
  log,
}: DatabaseOptions): Promise<Database> {
  return databaseUrl ? openPostgres(databaseUrl, log) : openSqlite(dataDir);
}

/** Tells whether the SQLite file exists; a PostgreSQL database is assumed to exist. */
export const hasDatabase = ({ databaseUrl, dataDir }: DatabaseOptions) =>
  databaseUrl !== undefined || existsSync(fileIn(dataDir));

const fileIn = (dataDir: string) => join(dataDir, "cap-celeste.db");

/** Why the database does not answer; null when it does. */
export async function databaseFault(database: Database): Promise<string | null> {
  try {
    await sql`select 1`.execute(database);
    return null;
  } catch (error) {
    return `The database does not answer: ${reasonOf(error)}`;
  }
}

/**
 * PostgreSQL error classes about the server, not the statement: connection, resources, concurrent
 * transactions, operator and system (PostgreSQL manual, appendix A).
 */
const SERVER_ERROR = /^(?:08|40|53|55|57|58)/;
/** Messages of `pg` and SQLite about the connection that come without an error code. */
const CONNECTION_MESSAGE =
  /^(?:connection terminated|client (?:has encountered a connection error|was closed) and is not queryable|timeout exceeded when trying to connect|database is locked|driver has already been destroyed|cannot use a pool after calling end)/i;
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

function openSqlite(dataDir: string): Database {
  try {
    mkdirSync(dataDir, { recursive: true });
    return new Kysely<Tables>({ dialect: sqliteDialect(fileIn(dataDir)) });
  } catch (error) {
    throw new Error(
      `DATA_DIR: cannot write to ${dataDir} (${reasonOf(error)}); choose a folder this user may write to`,
    );
  }
}

async function openPostgres(connectionString: string, log?: Log): Promise<Database> {
  // Loaded here, because a site with the embedded database does not need it.
  const { default: pg } = await import("pg");
  pg.types.setTypeParser(INT8, Number);
  const pool = new pg.Pool({
    connectionString,
    max: 10,
    connectionTimeoutMillis: 5_000,
    // A server that vanishes without a word, as at a power cut, would keep its queries waiting for ever.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  });
  // A connection that is lost must not end the process: the next query reconnects.
  // All connections are usually lost together, so one loss is logged until a connection is back.
  let isTold = false;
  const tellLoss = (error: Error) => {
    if (!isTold) log?.warn({ reason: reasonOf(error) }, "database connection lost");
    isTold = true;
  };
  pool.on("connect", (client) => {
    isTold = false;
    // The pool listens to idle connections only: one that is in use tells its own errors.
    client.on("error", tellLoss);
  });
  pool.on("error", tellLoss);
  const database = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  try {
    await sql`select 1`.execute(database);
    return database;
  } catch (error) {
    await database.destroy();
    throw new Error(
      `DATABASE_URL: PostgreSQL cannot be reached (${reasonOf(error)}); check host, name, user and password`,
    );
  }
}

/** An error that stands for attempts at several addresses has no message, but the code of one. */
function reasonOf(error: unknown) {
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  return error.message || code || error.name;
}
