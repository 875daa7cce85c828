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

export async function databaseAnswers(database: Database): Promise<boolean> {
  try {
    await sql`select 1`.execute(database);
    return true;
  } catch {
    return false;
  }
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
  pool.on("error", (error) =>
    log?.warn({ reason: reason(error) }, "idle database connection lost"),
  );
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

function reason(error: unknown) {
  return error instanceof Error ? error.message || error.name : String(error);
}
