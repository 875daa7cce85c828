import Libsql from "libsql";
import {
  CompiledQuery,
  SqliteDialect,
  SqliteDriver,
  type DatabaseConnection,
  type Driver,
  type SqliteDialectConfig,
} from "kysely";

const BUSY_TIMEOUT_MS = 10_000;

/** SQLite in one file; a commit is on disk before it returns (`synchronous=FULL`). */
export function sqliteDialect(file: string) {
  const database = new Libsql(file);
  database.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
  database.pragma("journal_mode = WAL");
  database.pragma("synchronous = FULL");
  database.pragma("foreign_keys = ON");
  return new ImmediateDialect({ database });
}

class ImmediateDialect extends SqliteDialect {
  #config: SqliteDialectConfig;

  constructor(config: SqliteDialectConfig) {
    super(config);
    this.#config = config;
  }

  override createDriver(): Driver {
    return new ImmediateDriver(this.#config);
  }
}

/** Takes the write lock at the start: upgrading a read lock later can fail when two processes write. */
class ImmediateDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection) {
    await connection.executeQuery(CompiledQuery.raw("begin immediate"));
  }
}
