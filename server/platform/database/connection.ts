import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { Kysely, PostgresDialect, sql } from "kysely";
import pg from "pg";
import type { Log } from "../ports/log";
import { sqliteDialect } from "./sqlite";
import type { Database, Tables } from "./tables";

const INT8 = 20;
pg.types.setTypeParser(INT8, Number);

export type DatabaseOptions = {
  databaseUrl?: string | undefined;
  dataDir: string;
  log?: Log | undefined;
};

/**
 * Opens PostgreSQL (`postgres://…`) or the embedded SQLite file of `dataDir`.
 * @throws Error in one sentence that says what to mend
 */
export async function openDatabase({
  databaseUrl,
  dataDir,
  log,
}: DatabaseOptions): Promise<Database> {
  return databaseUrl ? openPostgres(databaseUrl, log) : openSqlite(dataDir);
}

/** Whether a site has been started with it; of PostgreSQL only its server knows. */
export const hasDatabase = ({ databaseUrl, dataDir }: DatabaseOptions) =>
  databaseUrl !== undefined || existsSync(fileIn(dataDir));

const fileIn = (dataDir: string) => join(dataDir, "cap-celeste.db");

/** Why the database does not answer; null when it does. */
export async function databaseFault(database: Database): Promise<string | null> {
  try {
    await sql`select 1`.execute(database);
    return null;
  } catch (error) {
    return `The database does not answer: ${reason(error)}`;
  }
}

/**
 * Classes of PostgreSQL's errors that concern the server and not the statement: connection, resources,
 * another transaction, an operator, the system (PostgreSQL manual, appendix A).
 */
const OF_THE_SERVER = /^(?:08|40|53|55|57|58)/;
/** What `pg` says of connections without a code; and of SQLite busy, full, not to be opened. */
const AWAY =
  /^(?:connection terminated|timeout exceeded when trying to connect|database is locked|driver has already been destroyed|cannot use a pool after calling end)/i;
const OF_THE_FILE = /^SQLITE_(?:BUSY|LOCKED|FULL|IOERR|CANTOPEN|READONLY|NOMEM)/;
const OF_THE_NETWORK = /^(?:ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_)/;

/** Whether a statement failed because the database cannot be used now, whatever it was about. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (AWAY.test(error.message)) return true;
  if (!("code" in error) || typeof error.code !== "string") return false;
  const { code } = error;
  return [OF_THE_SERVER, OF_THE_FILE, OF_THE_NETWORK].some((pattern) => pattern.test(code));
}

function openSqlite(dataDir: string): Database {
  try {
    mkdirSync(dataDir, { recursive: true });
    return new Kysely<Tables>({ dialect: sqliteDialect(fileIn(dataDir)) });
  } catch (error) {
    throw new Error(
      `DATA_DIR: cannot write to ${dataDir} (${reason(error)}); choose a folder this user may write to`,
    );
  }
}

async function openPostgres(connectionString: string, log?: Log): Promise<Database> {
  const pool = new pg.Pool({ connectionString, max: 10, connectionTimeoutMillis: 5_000 });
  // An idle connection that the server closes must not end the process: the next query reconnects.
  // They are all lost at once: one is told until there are connections again.
  let isTold = false;
  pool.on("connect", () => (isTold = false));
  pool.on("error", (error) => {
    if (!isTold) log?.warn({ reason: reason(error) }, "idle database connection lost");
    isTold = true;
  });
  const database = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  try {
    await sql`select 1`.execute(database);
    return database;
  } catch (error) {
    await database.destroy();
    throw new Error(
      `DATABASE_URL: PostgreSQL cannot be reached (${reason(error)}); check host, name, user and password`,
    );
  }
}

/** An error that stands for attempts at several addresses has no message, but the code of one. */
function reason(error: unknown) {
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  return error.message || code || error.name;
}
