import { chmodSync, closeSync, mkdirSync, openSync, statSync } from "node:fs";
import { join } from "node:path";
import { Kysely } from "kysely";
import { openPostgres, type PostgresOptions } from "./postgres";
import { reasonOf } from "./reason";
import { sqliteDialect } from "./sqlite";
import { tracesOf } from "./statement-traces";
import type { Database, Tables } from "./tables";
import { isDamage } from "./unavailable";

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

/**
 * Tells whether the SQLite file exists; a PostgreSQL database is assumed to exist.
 * @throws Error in one sentence when this user may not look into the folder
 */
export function hasDatabase({ databaseUrl, dataDir }: DatabaseOptions): boolean {
  if (databaseUrl !== undefined) return true;
  try {
    return statSync(databaseFile(dataDir), { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    throw new Error(
      `DATA_DIR: cannot look into ${dataDir} (${reasonOf(error)}); run the command as the user of the site`,
    );
  }
}

/** SQLite's file. */
export const databaseFile = (dataDir: string) => join(dataDir, "cap-celeste.db");

/** All that people entrusted to the site is in it. SQLite gives the files beside it the same mode. */
function keepPrivate(file: string) {
  closeSync(openSync(file, "a", 0o600));
  if ((statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600);
}

function openSqlite(dataDir: string): Database {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    keepPrivate(databaseFile(dataDir));
    return new Kysely<Tables>({
      dialect: sqliteDialect(databaseFile(dataDir)),
      log: tracesOf("sqlite"),
    });
  } catch (error) {
    if (isDamage(error)) throw error;
    throw new Error(
      `DATA_DIR: cannot write to ${dataDir} (${reasonOf(error)}); choose a folder this user may write to`,
    );
  }
}
